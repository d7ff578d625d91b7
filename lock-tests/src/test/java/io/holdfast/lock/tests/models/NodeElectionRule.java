package io.holdfast.lock.tests.models;

/** The rules by which observers know who leads over several nodes. */
enum NodeElectionRule implements Rule {
    RECORD_OF_TOKEN(61, NodeElectionModel.TRUE_LEADER, "a record counts while its token is its node's lock's"),
    HELD(61, NodeElectionModel.SEEN_BY_ALL, "a node proclaims only a candidate whose field holds its lock"),
    MAJORITY_TELLS(66, NodeElectionModel.TRUE_LEADER, "a term leads when a majority of all nodes tells of it"),
    SILENCE_IS_NO_ANSWER(66, NodeElectionModel.TRUE_SILENCE, "a silent node may tell of any term"),
    MAJORITY_PROCLAIMS(66, NodeElectionModel.SEEN_BY_ALL, "a campaign returns when a majority has its record"),
    TOKEN_FIRST(66, NodeElectionModel.SEEN_BY_ALL, "a node gets the term's token before its record");

    private final LeftOut leftOut;

    NodeElectionRule(int number, String guards, String says) {
        leftOut = new LeftOut(number, NodeElectionBounds.SPLIT, guards, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
