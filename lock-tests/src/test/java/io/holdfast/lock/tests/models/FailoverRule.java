package io.holdfast.lock.tests.models;

/** The rules of the failover guard (ADR 38). */
enum FailoverRule implements Rule {
    TERM_NAMES_EPOCH(86, FailoverBounds.BACK, "a term names the Sentinels' epoch"),
    TERM_NAMES_ID(86, FailoverBounds.RESTART, "a term names the server's replication id"),
    TERM_COMPARED(86, FailoverBounds.BACK, "each script compares the term, not the client that connects"),
    TERM_BY_MAJORITY(86, FailoverBounds.ONE, "a term begins when a majority has named its primary"),
    NO_TERM_IS_NEW(86, FailoverBounds.RESTART, "a server without a term begins one"),
    PAUSE_FOR_LEASE(87, FailoverBounds.ONE, "no grant until the longest lease has passed in the term"),
    PAUSE_FOR_SILENCE(87, FailoverBounds.ONE, "no grant until the silence has passed as well"),
    RENEWALS_WAIT(87, FailoverBounds.ONE, "no renewal counts until the silence has passed in the term"),
    GRANTS_VOUCHED(88, FailoverBounds.ONE, "a grant counts while Sentinels name the primary"),
    RENEWALS_VOUCHED(88, FailoverBounds.ONE, "so does a renewal"),
    MAJORITY_OF_ALL(88, FailoverBounds.ONE, "a majority of all Sentinels, not of those that answer"),
    EPOCH_NAMED(88, FailoverBounds.BACK, "they name the epoch of the term, not just the address"),
    WHEN_ANSWERED(88, FailoverBounds.ONE, "that counts when the answer comes, not when the request goes"),
    LONGER_REFUSED(89, FailoverBounds.ONE, "a longer lease is refused");

    private final LeftOut leftOut;

    FailoverRule(int number, FailoverBounds bounds, String says) {
        leftOut = new LeftOut(number, bounds, FailoverModel.ONE_HOLDER, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
