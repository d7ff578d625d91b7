package io.holdfast.lock.tests.simulation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What owners do: one operation after the other, drawn by lot. */
final class Operations {

    private final Calls calls;
    private final Climate climate;
    private final Chance chance;
    private final Releases releases;
    private final HandleOwners handles;
    private final ThreadOwners threads;
    private final BlockingOwners blocking;
    private final OtherOperations others;
    int done;

    Operations(Calls calls, Climate climate, Chance chance) {
        Lots lots = new Lots(climate, chance);
        this.calls = calls;
        this.climate = climate;
        this.chance = chance;
        this.releases = new Releases(calls, lots);
        this.handles = new HandleOwners(calls, lots, releases);
        this.threads = new ThreadOwners(calls, lots, releases);
        this.blocking = new BlockingOwners(calls, lots, releases, threads, handles);
        this.others = new OtherOperations(calls, lots);
        releases.onFailure(threads::lockAgain);
    }

    /** Does one thing at a client. */
    void next(SimulatedClient client) {
        done++;
        int lock = chance.below(climate.locks());
        int lot = chance.below(100);
        if (lot < 26 && !climate.clinging()) {
            handles.acquireAsync(client, lock);
        } else if (lot < 46) {
            threads.lockAsync(client, lock);
        } else if (lot < 60) {
            blocking.lockBlocking(client, lock);
        } else if (lot < 80) {
            releases.release(anyClaim(client));
        } else if (lot < 96 && climate.forceful()) {
            others.force(client, lock);
        } else if (lot < 86) {
            others.extend(anyClaim(client));
        } else if (lot < 91) {
            others.cancel();
        } else if (lot < 94) {
            others.ask(client, lock);
        } else if (lot < 96) {
            others.force(client, lock);
        } else if (lot < 98) {
            releases.unlockWithoutHold(client, lock);
        } else {
            others.write(anyClaim(client));
        }
    }

    private @Nullable Claim anyClaim(SimulatedClient client) {
        List<Claim> all = calls.referee.allClaims();
        all.removeIf(claim -> claim.client != client);
        return all.isEmpty() ? null : all.get(chance.below(all.size()));
    }

    /** Gives one level of a hold back. */
    void release(Claim claim) {
        releases.release(claim);
    }

    /** Somebody asks a client that is being closed. */
    void askTooLate(SimulatedClient client) {
        others.askTooLate(client, 0);
    }
}
