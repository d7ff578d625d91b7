package io.holdfast.lock.tests.models;

/** What permits over several nodes would need. */
enum NodePermitsRule implements Rule {
    MORE_THAN_A_MAJORITY;

    /** Why there are none (rule 66). */
    @Override
    public int number() {
        return 66;
    }

    @Override
    public NodePermitsBounds bounds() {
        return NodePermitsBounds.THREE;
    }

    @Override
    public String guards() {
        return NodePermitsModel.LIMIT;
    }

    @Override
    public String says() {
        return "a permit takes more than nodes * limit / (limit + 1) nodes";
    }
}
