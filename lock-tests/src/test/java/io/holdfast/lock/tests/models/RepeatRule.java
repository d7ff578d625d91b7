package io.holdfast.lock.tests.models;

/** The rules by which a client repeats at its next server, or its next connection, what it has done with. */
enum RepeatRule implements Rule {
    FIELDS_ONCE(1, RepeatBounds.FAILOVER, RepeatModel.HOLDS_STAY, "a field is never used twice"),
    RELEASES_REPEATED(
            128, RepeatBounds.FAILOVER, RepeatModel.NOT_BLOCKED, "what another process has removed is released again"),
    OLD_FIELDS_TOO(
            128, RepeatBounds.FAILOVER, RepeatModel.NOT_BLOCKED, "so is the field from which a lock was handed over"),
    NO_TRANSFERS(128, RepeatBounds.FAILOVER, RepeatModel.NOT_BLOCKED, "no transfer is repeated"),
    NO_LEVELS(128, RepeatBounds.FAILOVER, RepeatModel.LEVELS_STAY, "no level is lowered again"),
    BY_FIELD(128, RepeatBounds.FAILOVER, RepeatModel.HOLDS_STAY, "a field is released, and not all below it"),
    UNDONE_AGAIN(129, RepeatBounds.STANDSTILL, RepeatModel.NOT_BLOCKED, "what none has confirmed is undone again"),
    BEHIND_THE_FENCE(129, RepeatBounds.STANDSTILL, RepeatModel.NOT_BLOCKED, "that is done behind the fence");

    private final LeftOut leftOut;

    RepeatRule(int number, RepeatBounds bounds, String guards, String says) {
        leftOut = new LeftOut(number, bounds, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
