package io.holdfast.lock.tests.models;

/** The rules by which a RedLock excludes. */
enum RedLockRule implements Rule {
    FIELD_PER_ROUND(32, RedLockBounds.LOSS, RedLockModel.ONE_HOLDER, "a round has a field of its own"),
    MAJORITY(33, RedLockBounds.LOSS, RedLockModel.ONE_HOLDER, "a majority of the nodes decides"),
    STILL_VALID(33, RedLockBounds.RENEWAL, RedLockModel.ONE_HOLDER, "handed out only while validity is positive"),
    ROLLBACK_ON_SILENT(33, RedLockBounds.LOSS, RedLockModel.NO_ORPHAN, "silent nodes are rolled back too"),
    SETTLED(20, RedLockBounds.LOSS, RedLockModel.NO_ORPHAN, "an undo is repeated until it is confirmed"),
    RELEASE_OWN_FIELD(7, RedLockBounds.LOSS, RedLockModel.ONE_HOLDER, "a release acts on its own field only"),
    VALID_FROM_SEND(14, RedLockBounds.RENEWAL, RedLockModel.ONE_HOLDER, "validity counts from before the request"),
    VALIDITY_PER_NODE(34, RedLockBounds.RENEWAL, RedLockModel.ONE_HOLDER, "validity is the majority-th largest"),
    ROUNDS_APART(34, RedLockBounds.LOSS, RedLockModel.ONE_HOLDER, "answers of two rounds are not added up"),
    QUARANTINE(36, RedLockBounds.RESTART, RedLockModel.ONE_HOLDER, "a node that may have forgotten is left out");

    private final LeftOut leftOut;

    RedLockRule(int number, RedLockBounds bounds, String guards, String says) {
        leftOut = new LeftOut(number, bounds, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
