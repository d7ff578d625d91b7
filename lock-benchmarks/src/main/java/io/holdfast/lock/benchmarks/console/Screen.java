package io.holdfast.lock.benchmarks.console;

import java.io.Console;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.TimeUnit;

/**
 * The terminal: lines that stay, and below them one live line that is redrawn in place. Where there is no terminal, the
 * live line becomes an ordinary one every ten seconds. Any thread may print.
 */
public final class Screen {

    private static final long PLAIN_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final String WRAP_OFF = "\u001b[?7l";
    private static final String WRAP_ON = "\u001b[?7h";

    private final PrintStream out;
    private final boolean terminal;
    private final boolean colour;
    private String live = "";
    private long plainLiveNanos = System.nanoTime();

    public Screen(PrintStream out, boolean terminal, boolean colour) {
        this.out = out;
        this.terminal = terminal;
        this.colour = colour;
    }

    /** The screen of this process: plain if standard output is no terminal; {@code NO_COLOR} is heeded. */
    public static Screen ofProcess() {
        boolean terminal = isTerminal() && !"dumb".equals(System.getenv("TERM"));
        return new Screen(System.out, terminal, terminal && System.getenv("NO_COLOR") == null);
    }

    /** Whether standard output is a terminal. From Java 22 on a console may exist without one, and can be asked. */
    private static boolean isTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException older) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException unexpected) {
            throw new IllegalStateException("can't ask the console whether it is a terminal", unexpected);
        }
    }

    /** Prints lines that stay. */
    public synchronized void print(String... lines) {
        clearLive();
        for (String line : lines) {
            out.println(line);
        }
        drawLive();
    }

    /** Replaces the live line. */
    public synchronized void live(String line) {
        if (terminal) {
            clearLive();
            live = line;
            drawLive();
        } else if (System.nanoTime() - plainLiveNanos >= PLAIN_INTERVAL_NANOS) {
            plainLiveNanos = System.nanoTime();
            out.println(line);
            out.flush();
        }
    }

    /** Takes the live line away. */
    public synchronized void endLive() {
        clearLive();
        live = "";
        out.flush();
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

    public String bad(String text) {
        return styled("31", text);
    }

    private String styled(String code, String text) {
        return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }

    private void clearLive() {
        if (!live.isEmpty()) {
            out.print(CLEAR_LINE);
        }
    }

    /** Draws it unwrapped: a line that went on below could not be taken away again. */
    private void drawLive() {
        if (!live.isEmpty()) {
            out.print(WRAP_OFF + live + WRAP_ON);
        }
        out.flush();
    }
}
