package io.holdfast.lock.tests.models;

/** The rules by which a release that names no permit finds the one that it gives back. */
enum ReleaseRule implements Rule {
    OWN_FIRST(123, ReleaseBounds.KEEPERS, ReleaseModel.TOLD, "a thread releases what it took itself"),
    LOSS_REMEMBERED(123, ReleaseBounds.KEEPERS, ReleaseModel.EXCESS, "a loss is remembered until a release was told"),
    LONGEST_AGO(123, ReleaseBounds.ASYNC, ReleaseModel.EXCESS, "what was confirmed longest ago is released first"),
    LOST_FIRST(
            124, ReleaseBounds.HANDED_FAILOVER, ReleaseModel.EXCESS, "a release meets a loss before a living permit"),
    REFUSED_ONCE(124, ReleaseBounds.HANDED, ReleaseModel.NOTHING_STAYS, "a loss is met once by threads that took none"),
    TAKER_HEARS(124, ReleaseBounds.STRAY, ReleaseModel.EXCESS, "the thread that took it is told all the same");

    private final LeftOut leftOut;

    ReleaseRule(int number, ReleaseBounds bounds, String guards, String says) {
        leftOut = new LeftOut(number, bounds, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
