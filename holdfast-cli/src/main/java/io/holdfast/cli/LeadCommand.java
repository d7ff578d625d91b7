package io.holdfast.cli;

import io.holdfast.lock.LeaderElection;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a command while this process leads. */
@Command(
        name = "lead",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Runs a command while this process leads, and stands again when it does not.",
        customSynopsis = "holdfast lead [options] NAME -- command [arguments]",
        description = {
            "When the leadership is lost, the command gets TERM, and KILL after --grace; then this process stands for "
                    + "election again, and runs the command anew when it leads. When the command ends by itself, the "
                    + "leadership is given up and its status is the exit status. HOLDFAST_TOKEN is the term. All else is as "
                    + "with 'holdfast lock'. --lease is 10 s here if it is not given."
        })
final class LeadCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAME", description = "The election.")
    private String name = "";

    @Option(names = "--id", paramLabel = "ID", description = "Which candidate this is, for others. Default: host:pid.")
    private @Nullable String id;

    @Option(
            names = "--value",
            paramLabel = "TEXT",
            description = "What others are told of the leader, such as an address.")
    private String value = "";

    @Mixin
    private RunOptions options = new RunOptions();

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() {
        return new Run(command, options, store, name).run(this::take, true);
    }

    private Optional<? extends LockHold> take(LockClient client, LockOptions lockOptions) throws InterruptedException {
        try {
            LeaderElection election =
                    options.lease().isPresent() ? client.getElection(name, lockOptions) : client.getElection(name);
            return election.campaign(
                    id == null ? host() + ":" + ProcessHandle.current().pid() : id,
                    value.getBytes(StandardCharsets.UTF_8),
                    options.waitTime().orElse(Run.FOR_EVER));
        } catch (IllegalArgumentException | UnsupportedOperationException refused) {
            throw Holdfast.usage(command, String.valueOf(refused.getMessage()));
        }
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unknown) {
            return "unknown";
        }
    }
}
