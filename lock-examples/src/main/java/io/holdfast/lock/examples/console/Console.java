package io.holdfast.lock.examples.console;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.Charset;
import java.util.concurrent.TimeUnit;

/**
 * The screen: lines that stay, and below them live lines, mostly one, that are redrawn in place. Without a terminal the live lines
 * become ordinary ones every two seconds. Any thread may print.
 */
public final class Console {

    private static final long PLAIN_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int WIDTH = 79;
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final String ESCAPE = "\u001b[";
    private static final String CLEAR_BELOW = "A\r\u001b[J";
    private static final String WRAP_OFF = "\u001b[?7l";
    private static final String WRAP_ON = "\u001b[?7h";

    private final PrintStream out;
    private final boolean terminal;
    private final boolean colour;
    /** Lines without an end of the last one; empty if there are none. */
    private String live = "";

    private boolean closed;
    private long plainLiveNanos = System.nanoTime();

    public Console(PrintStream out, boolean terminal, boolean colour) {
        this.out = out;
        this.terminal = terminal;
        this.colour = colour;
    }

    /** The console of this process; plain if asked for, or if standard output is not a terminal. */
    public static Console ofProcess(boolean plain) {
        boolean terminal = !plain && isTerminal() && !"dumb".equals(System.getenv("TERM"));
        Console console = new Console(System.out, terminal, terminal && System.getenv("NO_COLOR") == null);
        Runtime.getRuntime().addShutdownHook(new Thread(console::close, "close-console"));
        return console;
    }

    public boolean isLive() {
        return terminal;
    }

    /** Prints lines that stay. */
    public synchronized void print(String... lines) {
        if (closed) {
            return;
        }
        clearLive();
        for (String line : lines) {
            out.println(line);
        }
        drawLive();
    }

    /** Prints an empty line and a heading. */
    public void heading(String text) {
        print("", bold(text));
    }

    /** Replaces the live lines. */
    public synchronized void live(String... lines) {
        if (closed) {
            return;
        }
        if (terminal) {
            clearLive();
            live = String.join("\n", lines);
            drawLive();
        } else if (System.nanoTime() - plainLiveNanos >= PLAIN_INTERVAL_NANOS) {
            plainLiveNanos = System.nanoTime();
            out.println(String.join(System.lineSeparator(), lines));
            out.flush();
        }
    }

    /** Takes the live lines away. */
    public synchronized void endLive() {
        clearLive();
        live = "";
        out.flush();
    }

    /** Leaves the screen to others: after an interruption, what the rest of the command has to say is of no use. */
    private synchronized void close() {
        endLive();
        closed = true;
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

    /** Prints a line that somebody logged, wrapped to fit a terminal of the usual width. */
    public void log(String who, String line) {
        String text = "  " + who + ": " + line;
        print(terminal ? Text.wrap(text, WIDTH, 4).map(this::dim).toArray(String[]::new) : new String[] {text});
    }

    /** A stream whose lines appear above the live lines: for log output. */
    public PrintStream asLog() {
        OutputStream lines = new OutputStream() {
            private final ByteArrayOutputStream line = new ByteArrayOutputStream();

            @Override
            public synchronized void write(int octet) {
                if (octet == '\n') {
                    log("log", line.toString(Charset.defaultCharset()).stripTrailing());
                    line.reset();
                } else {
                    line.write(octet);
                }
            }
        };
        return new PrintStream(lines, true, Charset.defaultCharset());
    }

    private String styled(String code, String text) {
        return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }

    /** The cursor is behind the last of them. */
    private void clearLive() {
        long ends = live.chars().filter(character -> character == '\n').count();
        if (ends > 0) {
            out.print(ESCAPE + ends + CLEAR_BELOW);
        } else if (!live.isEmpty()) {
            out.print(CLEAR_LINE);
        }
    }

    /** Draws them unwrapped: a line that went on below could not be taken away again. */
    private void drawLive() {
        if (!live.isEmpty()) {
            out.print(WRAP_OFF + live + WRAP_ON);
        }
        out.flush();
    }

    /** Whether standard output is a terminal. From Java 22 on a console may exist without one, and can be asked. */
    private static boolean isTerminal() {
        java.io.Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (Boolean) java.io.Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException older) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException unexpected) {
            throw new IllegalStateException("cannot ask the console whether it is a terminal", unexpected);
        }
    }
}
