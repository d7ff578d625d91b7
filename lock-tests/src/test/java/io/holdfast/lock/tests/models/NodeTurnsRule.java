package io.holdfast.lock.tests.models;

/** The rules by which clients take turns at a lock of several nodes. */
enum NodeTurnsRule implements Rule {
    LEAVES_WORD(121, NodeTurnsBounds.HELD, NodeTurnsModel.NO_SPLIT, "who is refused leaves word at the node"),
    RESERVED(121, NodeTurnsBounds.HELD, NodeTurnsModel.NO_SPLIT, "what is freed is reserved at the node"),
    SAME_ORDER(121, NodeTurnsBounds.HELD, NodeTurnsModel.IN_ORDER, "the order is that of the calls, at all nodes"),
    MOST_COUNT(121, NodeTurnsBounds.HELD, NodeTurnsModel.NO_SPLIT, "what most nodes say counts"),
    GRACE_ENDS(121, NodeTurnsBounds.DEAD, NodeTurnsModel.NOT_IDLE, "a reservation ends by itself"),
    LOOKS(121, NodeTurnsBounds.DEAD, NodeTurnsModel.NOT_STUCK, "the others look when it has ended");

    private final LeftOut leftOut;

    NodeTurnsRule(int number, NodeTurnsBounds bounds, String guards, String says) {
        leftOut = new LeftOut(number, bounds, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
