package io.holdfast.lock.tests.models;

/** The rules by which clients take turns at a lock. */
enum TurnsRule implements Rule {
    LEAVES_WORD(114, TurnsBounds.QUIET, TurnsModel.PASSED_ONCE, "who is refused leaves word"),
    RESERVED(114, TurnsBounds.QUIET, TurnsModel.PASSED_ONCE, "a release is reserved"),
    OLDEST_FIRST(114, TurnsBounds.QUIET, TurnsModel.PASSED_ONCE, "for the client that left word first"),
    ASKS_BEHIND(114, TurnsBounds.QUIET, TurnsModel.PASSED_ONCE, "who gives up asks behind it"),
    WORD_STAYS(114, TurnsBounds.QUIET, TurnsModel.PASSED_ONCE, "the grant keeps the word of the others"),
    LAPSED_GOES(114, TurnsBounds.DEAD, TurnsModel.ONE_GRACE, "who does not come loses its place"),
    GRACE_ENDS(114, TurnsBounds.DEAD, TurnsModel.NOT_IDLE, "a reservation ends by itself"),
    LOOKS_AFTER_GRACE(114, TurnsBounds.DEAD, TurnsModel.NOT_IDLE, "the others look when it has ended"),
    NAMED_ASKS(114, TurnsBounds.QUIET, TurnsModel.ONE_WAKE, "only the client that is named asks"),
    QUEUE_FIRST(114, TurnsBounds.FAIR, TurnsModel.QUEUE_FIRST, "the server's queue goes before a reservation"),
    AS_LONG_AS_IT_NEEDS(125, TurnsBounds.FAR, TurnsModel.IN_TIME, "a lock is reserved for a far client for longer"),
    YOUNG_PASSED_OVER(126, TurnsBounds.FAR, TurnsModel.OTHERS_SPARED, "young word of a far client is passed over"),
    TAKES_WORD_BACK(127, TurnsBounds.LEAVING, TurnsModel.WORD_OF_WAITERS, "who gives up takes its word back"),
    NO_HOLDER(114, TurnsBounds.FORCE, TurnsModel.NO_FALSE_HOLDER, "a reservation is no holder");

    private final LeftOut leftOut;

    TurnsRule(int number, TurnsBounds bounds, String guards, String says) {
        leftOut = new LeftOut(number, bounds, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
