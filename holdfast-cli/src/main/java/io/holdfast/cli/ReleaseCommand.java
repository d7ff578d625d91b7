package io.holdfast.cli;

import io.holdfast.cli.run.Exit;
import io.holdfast.cli.text.Json;
import io.holdfast.cli.text.Screen;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.text.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Frees a lock that another process holds. */
@Command(
        name = "release",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Frees a lock by force, after it has shown the holder and asked.",
        description = {
            "Its holder loses the lock. Holdfast tells it so at its next renewal, after a third of the lease at most "
                    + "(onLost: KEY_GONE or FORCED). A process that does not listen to that, or is stopped, goes on as if it had the lock; only a resource that checks fencing tokens "
                    + "refuses it.",
            "",
            "In scripts: --yes with --holder, the owner as 'inspect --json' shows it. The lock is not freed if another "
                    + "owner holds it by then. The last look and the freeing are two requests; an owner that takes the "
                    + "lock between them loses it.",
            "",
            "Exit status: 0 if the lock was freed, 1 if it was free, another owner holds it, or the answer was no."
        })
final class ReleaseCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Option(names = "--holder", paramLabel = "OWNER", description = "Free it only if this owner holds it.")
    private @Nullable String expected;

    @Option(names = "--yes", description = "Do not ask; needs --holder.")
    private boolean yes;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private ScreenOptions shown = new ScreenOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (yes && expected == null) {
            throw Holdfast.usage(
                    command, "--yes: without --holder (expected: the owner, as 'holdfast inspect' shows it)");
        }
        Screen screen = shown.screen();
        try (LockClient client = store.connect()) {
            return release(client, screen);
        } catch (IllegalArgumentException refused) {
            throw Holdfast.usage(command, String.valueOf(refused.getMessage()));
        }
    }

    private int release(LockClient client, Screen screen) throws IOException {
        LockInfo seen = client.inspect(name);
        if (!seen.locked()) {
            return refused(screen, seen, "is free: no owner holds it");
        }
        List<String> owners = owners(seen);
        if (expected != null && !owners.equals(List.of(expected))) {
            return refused(
                    screen, seen, "is not held by that owner, but by " + Printable.of(String.join(", ", owners)));
        }
        if (!yes && !Terminal.isInput()) {
            throw Holdfast.usage(
                    command,
                    "there is no terminal to ask at (expected: --yes --holder "
                            + Printable.of(String.join(", ", owners)) + ")");
        }
        if (!yes) {
            new Inspection(seen, Optional.empty(), Optional.empty(), Optional.empty()).print(screen);
            if (!isConfirmed(screen)) {
                return refused(screen, seen, "was not freed");
            }
        }
        LockInfo now = client.inspect(name);
        if (!owners(now).equals(owners)) {
            return refused(
                    screen,
                    now,
                    now.locked()
                            ? "was not freed: meanwhile it is held by " + Printable.of(String.join(", ", owners(now)))
                            : "is free meanwhile");
        }
        if (!client.getLock(name).forceUnlock()) {
            return refused(screen, now, "is free meanwhile");
        }
        told(
                screen,
                seen,
                true,
                "is freed; " + LockView.holders(seen)
                        + " is told at its next renewal that it has lost the lock, if it still runs");
        return Exit.OK;
    }

    private static List<String> owners(LockInfo lock) {
        return lock.holders().stream().map(LockInfo.Holder::owner).sorted().toList();
    }

    private boolean isConfirmed(Screen screen) throws IOException {
        screen.out().print("free it? [y/N] ");
        screen.out().flush();
        String answer = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
        return answer != null && List.of("y", "yes").contains(answer.strip().toLowerCase(Locale.ROOT));
    }

    private int refused(Screen screen, LockInfo lock, String what) {
        told(screen, lock, false, what);
        return Exit.NOTHING;
    }

    private void told(Screen screen, LockInfo lock, boolean freed, String what) {
        if (shown.json()) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("name", name);
            json.put("freed", freed);
            json.put("owners", owners(lock));
            json.put("detail", what);
            screen.line(Json.of(json));
        } else if (freed) {
            screen.line(Printable.of(name) + " " + what);
        } else {
            screen.say("holdfast release: " + Printable.of(name) + " " + what);
        }
    }
}
