package io.holdfast.cli.text;

import java.io.PrintStream;

/**
 * Standard output and standard error: lines, colours if the output is a terminal, and the width of both.
 *
 * @param width columns for a table; {@link #UNBOUNDED} where the output is no terminal, so that a filter gets whole names
 * @param terminal whether the output is a terminal
 */
public record Screen(PrintStream out, PrintStream err, int width, boolean terminal, boolean colour) {

    public static final int UNBOUNDED = Integer.MAX_VALUE;

    /**
     * Prints a line.
     *
     * @throws ClosedPipeException if its reader is gone
     */
    public void line(String text) {
        out.println(text);
        if (out.checkError()) {
            throw new ClosedPipeException();
        }
    }

    /** Prints a line to standard error. */
    public void say(String text) {
        err.println(text);
    }

    public String bold(String text) {
        return styled("1", text);
    }

    public String dim(String text) {
        return styled("2", text);
    }

    public String good(String text) {
        return styled("32", text);
    }

    public String doubtful(String text) {
        return styled("33", text);
    }

    public String bad(String text) {
        return styled("31", text);
    }

    private String styled(String style, String text) {
        return colour ? "\u001b[" + style + "m" + text + "\u001b[0m" : text;
    }
}
