package io.holdfast.lock.tests.models;

/** The rules by which candidates lead one after the other, and an observer knows which. */
enum ElectionRule implements Rule {
    TOKEN_COMPARED(
            61, ElectionBounds.LATE, ElectionModel.TRUE_LEADER, "a record counts only while its token is the lock's"),
    HELD(61, ElectionBounds.LATE, ElectionModel.TRUE_LEADER, "only the holder of the lock is proclaimed"),
    PROCLAIMED_FIRST(
            61, ElectionBounds.LATE, ElectionModel.SEEN_BY_ALL, "a candidate leads when it is known to be proclaimed"),
    NEWEST_VALUE(61, ElectionBounds.LATE, ElectionModel.SEEN_BY_ALL, "a value that was set later stays"),
    GIVEN_BACK(61, ElectionBounds.LATE, ElectionModel.NO_ORPHAN, "a candidate that gives up gives the lock back"),
    PROCLAMATION_TOLD(
            61, ElectionBounds.DROPPED, ElectionModel.NO_LOST_NEWS, "who is proclaimed is told on its channel"),
    RELEASE_HEARD(61, ElectionBounds.DROPPED, ElectionModel.NO_LOST_NEWS, "an observer hears of releases as well"),
    EXPIRY_LOOKS(61, ElectionBounds.DROPPED, ElectionModel.NO_LOST_NEWS, "it looks when the lease it saw is over"),
    CONFIRMATION_LOOKS(61, ElectionBounds.DROPPED, ElectionModel.NO_LOST_NEWS, "it looks at the confirmation"),
    PERMIT(61, ElectionBounds.DROPPED, ElectionModel.NO_LOST_NEWS, "a message during a look makes it look again"),
    NEVER_OLDER(61, ElectionBounds.FAILOVER, ElectionModel.TERMS_INCREASE, "it is told of no term before the last"),
    NEW_TERM(62, ElectionBounds.AGAIN, ElectionModel.ONE_TERM, "who campaigns again asks under a new field");

    private final LeftOut leftOut;

    ElectionRule(int number, ElectionBounds bounds, String guards, String says) {
        leftOut = new LeftOut(number, bounds, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
