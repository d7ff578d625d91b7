package io.holdfast.lock.testkit;

import java.util.HashSet;
import java.util.Set;

/** The requests of one connection that were sent twice, and so which replies the client must not see. */
final class CopiedRequests {
    private final Set<Long> awaited = new HashSet<>();
    private long requests;
    private long replies;

    ProxyFlow.Side requests() {
        return new ProxyFlow.Side() {
            @Override
            public boolean keeps(boolean push) {
                requests++;
                return true;
            }

            @Override
            public void copied() {
                requests++;
                awaited.add(requests);
            }
        };
    }

    ProxyFlow.Side replies() {
        return new ProxyFlow.Side() {
            @Override
            public boolean keeps(boolean push) {
                if (push) {
                    return true;
                }
                replies++;
                return !awaited.remove(replies);
            }

            @Override
            public boolean isAwaitingCopies() {
                return !awaited.isEmpty();
            }
        };
    }
}
