package io.holdfast.cli;

import io.holdfast.cli.run.Exit;
import io.holdfast.cli.run.Guarded;
import io.holdfast.cli.run.Signals;
import io.holdfast.cli.run.StatusFile;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.text.Printable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** One run of another command under a hold, from the connection to the exit status. */
final class Run {

    /** How a hold is taken; empty if the wait was over before. */
    @FunctionalInterface
    interface Taking {
        Optional<? extends LockHold> take(LockClient client, LockOptions options) throws InterruptedException;
    }

    /** Waits longer than this never end. */
    static final Duration FOR_EVER = Duration.ofDays(36_500);

    private static final int LONGEST_APPLICATION = 100;

    private final CommandSpec spec;
    private final RunOptions options;
    private final StoreOptions store;
    private final String name;
    private final List<String> command;
    private final StatusFile status;
    private final Guarded guarded;

    Run(CommandSpec spec, RunOptions options, StoreOptions store, String name) {
        this.spec = spec;
        this.options = options;
        this.store = store;
        this.name = name;
        command = ((Holdfast) spec.parent().userObject()).tail();
        if (command.isEmpty()) {
            throw Holdfast.usage(spec, "no command (expected: NAME -- command arguments)");
        }
        status = new StatusFile(options.statusFile());
        guarded = new Guarded(options.grace(), Terminal.isInput(), this::say);
    }

    /**
     * Runs the command once.
     *
     * @param again whether to take the hold again and run the command anew when the hold was lost
     */
    int run(Taking taking, boolean again) {
        guarded.withSignals(signal -> System.exit(signalled(signal.number())));
        try {
            status.set("name", name);
            status.set("outcome", "waiting");
        } catch (UncheckedIOException unwritable) {
            throw Holdfast.usage(spec, String.valueOf(unwritable.getMessage()));
        }
        try (LockClient client = connect()) {
            LockOptions lock = lockOptions(client);
            while (true) {
                Optional<Integer> end = turn(client, lock, taking, again);
                if (end.isPresent()) {
                    return end.get();
                }
            }
        } catch (LockException failure) {
            if (guarded.ended() != null) {
                return signalled();
            }
            return ended("unreachable", options.exitUnreachable(), Holdfast.describe(failure));
        } catch (InterruptedException signalled) {
            return signalled();
        }
    }

    private int signalled() {
        Signals.Received signal = guarded.ended();
        return signalled(signal == null ? 0 : signal.number());
    }

    private int signalled(int number) {
        return ended("signalled", Exit.SIGNAL + number, "ended by a signal while it held nothing");
    }

    private LockClient connect() {
        String application = "holdfast:" + Printable.of(Path.of(command.get(0)).getFileName());
        LockClient client = store.connect(builder -> {
            boolean named = builder.build().applicationName().isPresent();
            return named
                    ? builder
                    : builder.applicationName(
                            application.substring(0, Math.min(LONGEST_APPLICATION, application.length())));
        });
        guarded.connected();
        return client;
    }

    private LockOptions lockOptions(LockClient client) {
        LockOptions given = store.lockOptions();
        try {
            LockOptions.Builder builder = given.toBuilder().noLease();
            options.lease().ifPresent(builder::watchdogLease);
            return builder.build();
        } catch (IllegalArgumentException refused) {
            client.close();
            throw Holdfast.usage(spec, "--lease: " + refused.getMessage());
        }
    }

    private Optional<Integer> turn(LockClient client, LockOptions lock, Taking taking, boolean again)
            throws InterruptedException {
        Optional<? extends LockHold> taken;
        try {
            taken = taking.take(client, lock);
        } catch (LockLostException beforeItWasProclaimed) {
            return lost(again, "lost before the command began");
        }
        if (taken.isEmpty()) {
            return Optional.of(ended("not-obtained", options.exitNotObtained(), "not obtained within --wait"));
        }
        LockHold hold = taken.get();
        Guarded.Outcome outcome;
        try {
            long token = hold.fencingToken();
            set("token", token);
            set("outcome", "running");
            outcome =
                    guarded.run(hold, command, Map.of("HOLDFAST_TOKEN", String.valueOf(token), "HOLDFAST_LOCK", name));
        } catch (IOException refused) {
            release(hold);
            return Optional.of(notStarted(refused));
        } catch (LockLostException lostAtOnce) {
            return lost(again, "lost before the command began");
        } catch (InterruptedException signalled) {
            release(hold);
            throw signalled;
        }
        set("command_status", outcome.status());
        if (release(hold) && !outcome.lost()) {
            set("outcome", "ran");
            set("exit", outcome.status());
            return Optional.of(outcome.status());
        }
        return lost(again, "lost before the command ended; its status was " + outcome.status());
    }

    /** Empty to stand again. */
    private Optional<Integer> lost(boolean again, String why) {
        if (!again) {
            return Optional.of(ended("lost", options.exitLost(), why));
        }
        guarded.again();
        if (guarded.ended() != null) {
            return Optional.of(signalled());
        }
        set("outcome", "waiting");
        say("stands for election again");
        return Optional.empty();
    }

    /** Whether the hold was valid until now. */
    private boolean release(LockHold hold) {
        try {
            hold.release();
            return true;
        } catch (LockLostException lost) {
            return false;
        } catch (LockException unanswered) {
            say("the release was not confirmed, and the lock is free when its lease is over: "
                    + Holdfast.describe(unanswered));
            return true;
        }
    }

    private int notStarted(IOException refused) {
        String program = command.get(0);
        boolean there = program.indexOf('/') >= 0 ? Files.exists(Path.of(program)) : isOnPath(program);
        return there
                ? ended(
                        "not-executable",
                        Exit.NOT_EXECUTABLE,
                        Printable.of(program) + " can't be executed: " + Printable.message(refused.getMessage()))
                : ended("not-found", Exit.NOT_FOUND, Printable.of(program) + " is not found");
    }

    private static boolean isOnPath(String program) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return List.of(path.split(File.pathSeparator)).stream()
                .anyMatch(folder -> Files.isRegularFile(Path.of(folder, program)));
    }

    private int ended(String outcome, int exit, String why) {
        set("outcome", outcome);
        set("exit", exit);
        say(why);
        return exit;
    }

    /** A file that can't be written any more is no reason to lose the command's status. */
    private void set(String name, Object value) {
        try {
            status.set(name, value);
        } catch (UncheckedIOException unwritable) {
            say(String.valueOf(unwritable.getMessage()));
        }
    }

    private void say(String text) {
        if (!options.quiet()) {
            System.err.println(spec.qualifiedName() + ": " + Printable.of(name) + ": " + text);
        }
    }
}
