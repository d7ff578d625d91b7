package io.holdfast.lock.tests.models;

/** The rules by which readers and writers exclude each other over several nodes. */
enum HalvesRule implements Rule {
    WRITER_REFUSED(66, HalvesBounds.READERS, "a node where readers live refuses a writer"),
    READER_REFUSED(66, HalvesBounds.READERS, "a node where another owner writes refuses a reader"),
    MAJORITY_READS(66, HalvesBounds.READERS, "a read needs a majority of the nodes too"),
    LAST_READER(49, HalvesBounds.READERS, "the lock's key lives as long as its last reader"),
    RELEASE_LEAVES_READERS(50, HalvesBounds.DOWNGRADE, "a writer that goes leaves its owner's read hold"),
    VALID_PER_NODE(34, HalvesBounds.RENEWAL, "a reader's validity is the majority-th largest"),
    FORGETFUL_LEFT_OUT(36, HalvesBounds.RESTART, "a node that may have forgotten readers is left out");

    private final LeftOut leftOut;

    HalvesRule(int number, HalvesBounds bounds, String says) {
        leftOut = new LeftOut(number, bounds, HalvesModel.WRITERS_ALONE, says);
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }
}
