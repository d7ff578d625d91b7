package io.holdfast.cli.run;

/** Exit statuses, as {@code docs/cli.md} has them. */
public final class Exit {

    public static final int OK = 0;

    /** Refused, or there is nothing of the kind. */
    public static final int NOTHING = 1;

    public static final int USAGE = 64;

    /** The server, or enough of several, can't be reached. */
    public static final int UNREACHABLE = 69;

    /** A defect of the command. */
    public static final int SOFTWARE = 70;

    public static final int NOT_OBTAINED = 75;
    public static final int LOST = 76;
    public static final int NOT_EXECUTABLE = 126;
    public static final int NOT_FOUND = 127;

    /** Added to the number of the signal that ended the command. */
    public static final int SIGNAL = 128;

    private Exit() {}
}
