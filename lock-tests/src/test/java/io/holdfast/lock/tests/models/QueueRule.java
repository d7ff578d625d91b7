package io.holdfast.lock.tests.models;

/** The rules of the server's queue. */
enum QueueRule implements Rule {
    NEW_HEAD_ASKS(27, QueueBounds.PLAIN_LEAVES, QueueModel.NOT_IDLE, "a call that becomes the oldest asks"),
    KEEPS_FIELD(39, QueueBounds.QUIET, QueueModel.NOT_IDLE, "a waiting call keeps its field"),
    ENTERED_AGAIN(40, QueueBounds.RESTART, QueueModel.IN_ORDER, "asking makes a new place if the old one is gone"),
    LOST_PLACE_TELLS(40, QueueBounds.PAUSE_DROPS, QueueModel.IN_ORDER, "when one place is found gone, all calls ask"),
    FRONT_FIRST(41, QueueBounds.QUIET, QueueModel.IN_ORDER, "nobody passes the first that does not fit"),
    LEAVING_ADMITS(41, QueueBounds.GIVE_UP, QueueModel.NOT_IDLE, "a reservation that is given back admits the next"),
    CLAIM_WINDOW(42, QueueBounds.DEAD, QueueModel.NOT_IDLE, "a reservation lasts for the claim window"),
    CLAIMED(42, QueueBounds.LATE, QueueModel.ONE_HOLDER, "only an answered request is a hold"),
    CLAIM_SETS(130, QueueBounds.SHORT, QueueModel.LEASE_KEPT, "a claim sets the lease of what is reserved"),
    SHORT_CLAIM_TELLS(
            130, QueueBounds.SHORT, QueueModel.NOT_IDLE, "a claim that ends sooner what was in the way tells all"),
    HOLD_RAISED(130, QueueBounds.EXTENDED, QueueModel.ONE_HOLDER, "a claim that finds a hold only raises its lease"),
    NAMED_PERMIT(43, QueueBounds.GIVE_UP, QueueModel.NOT_IDLE, "a message during a request is a permit"),
    DEPUTY(43, QueueBounds.DEAD, QueueModel.NOT_IDLE, "a message names a deputy"),
    DEPUTY_ELSEWHERE(43, QueueBounds.DEAD, QueueModel.NOT_IDLE, "the deputy is another client's"),
    DEPUTY_ADDS(43, QueueBounds.BRISK, QueueModel.IN_ORDER, "the deputy's look does not postpone the poll"),
    ALL_ASK(44, QueueBounds.DROP, QueueModel.NOT_IDLE, "a confirmation makes every call ask"),
    LEAVES(45, QueueBounds.GIVE_UP, QueueModel.NOT_IDLE, "leaving is a request"),
    PRESENCE_LOWERED(46, QueueBounds.DEAD, QueueModel.NOT_IDLE, "a claim window is deducted from presence"),
    PRESENCE_KEPT(46, QueueBounds.QUIET_DROPS, QueueModel.IN_ORDER, "a reservation leaves its client present"),
    PASSED_OVER(131, QueueBounds.PAUSE, QueueModel.IN_ORDER, "places of a client that is absent are passed over"),
    NO_TRANSFER(47, QueueBounds.QUIET, QueueModel.IN_ORDER, "holds are not handed over inside a client"),
    OWN_END_LOOKS(
            47, QueueBounds.LEASE_ENDS, QueueModel.NOT_IDLE, "the end of a hold makes the client's oldest call ask"),
    FREED_IS_TOLD(48, QueueBounds.PLAIN, QueueModel.NOT_IDLE, "a lock that is left free is told to all"),
    PLAIN_TAKES_PLACE(
            132,
            QueueBounds.PLAIN_BESIDE,
            QueueModel.SERVED,
            "a plain call that waits beside a queue takes a place in it"),
    OWN_DEADLINE(49, QueueBounds.READERS, QueueModel.ONE_HOLDER, "each reader has its deadline"),
    KEY_LIVES(49, QueueBounds.READERS, QueueModel.ONE_HOLDER, "the key lives as long as the longest hold"),
    READERS_BEHIND_WRITERS(50, QueueBounds.READERS, QueueModel.IN_ORDER, "a reader does not pass a waiting writer"),
    DOWNGRADE_PASSES(50, QueueBounds.DOWNGRADE, QueueModel.NO_DEADLOCK, "a downgrade passes the queue"),
    EACH_RELEASE_ADMITS(51, QueueBounds.DOWNGRADE, QueueModel.NOT_IDLE, "each release admits"),
    READERS_TOKEN(53, QueueBounds.TOKENS, QueueModel.NO_LATE_WRITE, "a reader's token is its own"),
    FIELDS_COUNTED(55, QueueBounds.LATE_PERMITS, QueueModel.ONE_HOLDER, "permits are fields, nothing is counted up"),
    ROOM_FOR_ALL(
            55, QueueBounds.PERMITS, QueueModel.ONE_HOLDER, "permits are taken together, if there is room for all"),
    ONE_BY_ONE(55, QueueBounds.PERMITS, QueueModel.ONE_HOLDER, "a permit that is given back leaves the others taken"),
    LARGE_FIRST(55, QueueBounds.PERMITS, QueueModel.IN_ORDER, "small requests do not pass a large one"),
    EARLIEST_TOLD(55, QueueBounds.PERMITS_DIE, QueueModel.NOT_IDLE, "a refusal tells the earliest deadline"),
    RAISING_ADMITS(56, QueueBounds.RESIZE, QueueModel.NOT_IDLE, "raising the limit admits");

    private final LeftOut leftOut;

    QueueRule(int number, QueueBounds bounds, String guards, String says) {
        leftOut = new LeftOut(number, bounds, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
