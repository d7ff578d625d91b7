package io.holdfast.lock.tests.models;

/** The rules by which the tokens of a RedLock increase. */
enum TokenRule implements Rule {
    ABOVE_STORED(31, "a node mints above its stored token"),
    STRICTLY_GREATER(35, "a proposal is taken only above the stored token"),
    WRITE_BACK(35, "the highest token is written back to a majority"),
    WRITE_BACK_CONFIRMED(35, "handed out only when a majority holds the token"),
    WRITE_BACK_OWN_FIELD(35, "written back only under the attempt's own field"),
    STILL_VALID(35, "handed out only while validity is positive");

    private final LeftOut leftOut;

    TokenRule(int number, String says) {
        leftOut = new LeftOut(number, TokenBounds.CLOCKS_DIFFER, TokenModel.TOKENS_INCREASE, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
