package io.holdfast.lock.engine.call;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.text.Printable;

/**
 * What a client does not offer, over several nodes or on Redisson's keys (rule 66). Each refusal names the object, the servers,
 * the reason, and what to use instead.
 */
public final class Unoffered {

    private final ClientFacts facts;

    public Unoffered(ClientFacts facts) {
        this.facts = facts;
    }

    /** Refuses what several nodes can't keep together. */
    public void overNodes(Named about, String reason, String instead) {
        if (facts.isQuorum()) {
            throw refusal(about, reason, instead);
        }
    }

    /** Refuses what can't be shared with Redisson's clients. */
    public void onRedissonsKeys(Named about, KeyScheme scheme, String reason) {
        if (scheme == KeyScheme.REDISSON) {
            String why = "with the key scheme " + KeyScheme.REDISSON + ", " + reason;
            throw refusal(about, why, "the scheme " + KeyScheme.HOLDFAST);
        }
    }

    private UnsupportedOperationException refusal(Named about, String reason, String instead) {
        return new UnsupportedOperationException(
                Printable.message(about + ", " + facts.node() + ": " + reason + " (expected: " + instead + ")"));
    }
}
