package io.holdfast.lock.netty;

import io.holdfast.lock.netty.connection.NumberedScripts;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.client.Clients;
import io.holdfast.lock.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A command that writes all scripts into files, as servers get to see them: for servers whose users may run scripts, and
 * not bring any. An administrator loads the files there.
 */
public final class ScriptFiles {

    private ScriptFiles() {}

    /**
     * Writes the files.
     *
     * @param args the directory, which is made if there is none
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            throw new IllegalArgumentException(
                    "arguments: " + Printable.message(List.of(args)) + " (expected: a directory)");
        }
        Path directory = Files.createDirectories(Path.of(args[0]));
        NumberedScripts forms = new NumberedScripts();
        for (Script script : Clients.scripts()) {
            Files.writeString(
                    directory.resolve(script.name() + ".lua"), forms.of(script).source());
            if (NumberedScripts.tells(script)) {
                // For the nodes of a cluster that shards messages.
                Files.writeString(
                        directory.resolve(script.name() + "-sharded.lua"),
                        forms.ofSharded(script).source());
            }
        }
    }
}
