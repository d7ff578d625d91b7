package io.holdfast.lock.engine.preflight;

/** Numbers as servers write them. */
final class Numbers {

    private static final int MOST_DIGITS = 18;

    private Numbers() {}

    /** The number that is written here in digits and nothing else; -1 if it is none. */
    static long of(String digits) {
        boolean isNumber = !digits.isEmpty()
                && digits.length() <= MOST_DIGITS
                && digits.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        return isNumber ? Long.parseLong(digits) : -1;
    }
}
