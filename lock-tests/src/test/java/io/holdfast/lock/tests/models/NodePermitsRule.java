package io.holdfast.lock.tests.models;

/** What permits over several nodes would need. */
enum NodePermitsRule implements Rule {
    MORE_THAN_A_MAJORITY;

    @Override
    public LeftOut leftOut() {
        return new LeftOut(
                66,
                NodePermitsBounds.THREE,
                NodePermitsModel.LIMIT,
                "a permit takes more than nodes * limit / (limit + 1) nodes");
    }
}
