package io.holdfast.lock.examples.doctor;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tries all kinds of locks on a user's own servers. */
public final class ServerTrial {

    /** What the names of its locks begin with. They are the same each time, so that no run leaves more keys than the first. */
    public static final String PREFIX = "holdfast-doctor:";

    /**
     * What came of it.
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

    private final List<String> urls;
    private final ClientOptions options;

    /**
     * @param urls one address, or those of the nodes of a quorum
     * @param options those of the user; the leases are the trial's own
     */
    public ServerTrial(List<String> urls, ClientOptions options) {
        this.urls = urls;
        LockOptions locks = options.lockOptions().toBuilder()
                .noLease()
                .noMaxHold()
                .watchdogLease(LockTrial.options().watchdogLease())
                .build();
        this.options = options.toBuilder().lazy(false).lockOptions(locks).build();
    }

    /** Tries. */
    public Report run() {
        try (LockClient one = connected();
                LockClient other = connected()) {
            return new Report(null, new LockTrial(one, other, PREFIX).run(List.of(TriedKind.values())));
        } catch (IllegalArgumentException malformed) {
            throw malformed;
        } catch (RuntimeException refusal) {
            return new Report(refusal, List.of());
        }
    }

    private LockClient connected() {
        return urls.size() == 1
                ? LockClient.connect(urls.get(0), options)
                : LockClient.connectQuorum(urls, options, QuorumOptions.defaults());
    }
}
