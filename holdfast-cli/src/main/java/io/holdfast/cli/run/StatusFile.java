package io.holdfast.cli.run;

import io.holdfast.lock.text.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A file that says for certain how a run ended, where a status may be the command's or ours. Lines of {@code name=value}. */
public final class StatusFile {

    private final Optional<Path> file;
    private final Map<String, String> values = new LinkedHashMap<>();

    public StatusFile(Optional<Path> file) {
        this.file = file;
    }

    /**
     * Adds a value, and writes the file anew.
     *
     * @throws UncheckedIOException if it can't be written
     */
    public void set(String name, Object value) {
        values.put(name, Printable.of(value));
        file.ifPresent(this::write);
    }

    private void write(Path path) {
        String text = values.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
                .collect(Collectors.joining());
        Path draft = path.resolveSibling(path.getFileName() + ".new");
        try {
            Files.writeString(draft, text);
            Files.move(draft, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException refused) {
            throw new UncheckedIOException("--status-file: " + Printable.of(path) + " can't be written", refused);
        }
    }
}
