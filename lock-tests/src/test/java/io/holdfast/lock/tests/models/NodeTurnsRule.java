package io.holdfast.lock.tests.models;

/** The rules by which clients take turns at a lock of several nodes. */
enum NodeTurnsRule implements Rule {
    LEAVES_WORD(121, NodeTurnsBounds.HELD, NodeTurnsModel.NO_SPLIT, "who is refused leaves word at the node"),
    RESERVED(121, NodeTurnsBounds.HELD, NodeTurnsModel.NO_SPLIT, "what is freed is reserved at the node"),
    SAME_ORDER(121, NodeTurnsBounds.HELD, NodeTurnsModel.IN_ORDER, "the order is that of the calls, at all nodes"),
    MOST_COUNT(121, NodeTurnsBounds.HELD, NodeTurnsModel.NO_SPLIT, "what most nodes say counts"),
    GRACE_ENDS(121, NodeTurnsBounds.DEAD, NodeTurnsModel.NOT_IDLE, "a reservation ends by itself"),
    LOOKS(121, NodeTurnsBounds.DEAD, NodeTurnsModel.NOT_STUCK, "the others look when it has ended");

    private final int number;
    private final NodeTurnsBounds bounds;
    private final String guards;
    private final String says;

    NodeTurnsRule(int number, NodeTurnsBounds bounds, String guards, String says) {
        this.number = number;
        this.bounds = bounds;
        this.guards = guards;
        this.says = says;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public NodeTurnsBounds bounds() {
        return bounds;
    }

    @Override
    public String guards() {
        return guards;
    }

    @Override
    public String says() {
        return says;
    }
}
