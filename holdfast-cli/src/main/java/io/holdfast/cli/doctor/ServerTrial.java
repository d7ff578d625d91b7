package io.holdfast.cli.doctor;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A trial of all kinds of locks on a user's own servers. */
public final class ServerTrial {

    /** The start of all its locks' names. They are the same each time, so that no run leaves more keys than the first. */
    private static final String PREFIX = "holdfast-doctor:";

    private ServerTrial() {}

    /**
     * The outcome.
     *
     * @param refusal why no client could connect; null if it could
     * @param outcomes of each kind; empty if no client could connect
     */
    public record Report(@Nullable RuntimeException refusal, List<TrialOutcome> outcomes) {

        /** Whether all kinds work that these servers have. */
        public boolean isGood() {
            return refusal == null && outcomes.stream().noneMatch(TrialOutcome::isFailure);
        }
    }

    /**
     * Tries each kind, by two clients.
     *
     * @param connect connects with the user's options, changed by what it is given
     * @param given the user's options of locks; the leases are the trial's own
     */
    public static Report run(Function<UnaryOperator<ClientOptions.Builder>, LockClient> connect, LockOptions given) {
        LockOptions locks = given.toBuilder()
                .noLease()
                .noMaxHold()
                .watchdogLease(LockTrial.options().watchdogLease())
                .build();
        UnaryOperator<ClientOptions.Builder> options =
                builder -> builder.lazy(false).lockOptions(locks);
        try (LockClient one = connect.apply(options);
                LockClient other = connect.apply(options)) {
            return new Report(null, new LockTrial(one, other, PREFIX).run(List.of(TriedKind.values())));
        } catch (IllegalArgumentException malformed) {
            throw malformed;
        } catch (RuntimeException refusal) {
            return new Report(refusal, List.of());
        }
    }
}
