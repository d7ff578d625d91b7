package io.holdfast.lock.tests.models;

/** The rules by which a node that was restarted is found to remember, or not to. All are parts of rule 36. */
enum RestartRule implements Rule {
    MARKER_NAMES_A_RUN(RestartBounds.WERE_THERE, "a marker names the run that was first given it"),
    MARKER_REMEMBERED(RestartBounds.WERE_THERE, "a marker vouches for those who saw it"),
    FILE_REQUIRED(RestartBounds.WERE_THERE, "a snapshot does not vouch"),
    UPTIME_BOUNDED(RestartBounds.WERE_THERE, "a run is no older than the end of the one before"),
    EARLIER_MARKER(RestartBounds.COMES_LATER, "the present run's marker does not vouch"),
    ALL_HEARD(RestartBounds.COMES_LATER, "a fleet is new only when all were heard"),
    NONE_OLD(RestartBounds.COMES_LATER, "a fleet with an old node is not new"),
    NONE_MARKED_EARLIER(RestartBounds.YOUNG_FLEET, "a fleet with an earlier run's marker is not new");

    private final LeftOut leftOut;

    RestartRule(RestartBounds bounds, String says) {
        leftOut = new LeftOut(36, bounds, RestartModel.ONE_HOLDER, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
