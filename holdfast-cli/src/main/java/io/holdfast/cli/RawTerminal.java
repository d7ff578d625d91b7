package io.holdfast.cli;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The terminal as a screen that tells each key at once. It is as it was when this is closed, and when the process ends. */
final class RawTerminal implements AutoCloseable {

    static final int END = -1;
    static final int CTRL_C = 3;
    static final int BACKSPACE = 8;
    static final int NEW_LINE = 10;
    static final int ENTER = 13;
    static final int ESCAPE = 27;
    static final int DELETE = 127;

    /** Clears what was there before to the end of the line. */
    static final String END_OF_LINE = "\u001b[K\r\n";

    private static final String SHOW = "\u001b[?1049h\u001b[?25l";
    private static final String RESTORE = "\u001b[?25h\u001b[?1049l";
    private static final String FROM_THE_TOP = "\u001b[H";
    private static final String CLEAR_THE_REST = "\u001b[K\u001b[J";
    private static final int USUAL_LINES = 24;

    private final String before;
    private final BlockingQueue<Integer> keys = new LinkedBlockingQueue<>();
    private final Thread onExit = new Thread(this::restore);
    private boolean restored;

    private RawTerminal(String before) {
        this.before = before;
    }

    static RawTerminal open() throws IOException {
        RawTerminal terminal = new RawTerminal(stty("-g"));
        Runtime.getRuntime().addShutdownHook(terminal.onExit);
        stty("-icanon", "-echo", "-isig", "min", "1");
        System.out.print(SHOW);
        System.out.flush();
        Thread reader = new Thread(terminal::read, "holdfast-keys");
        reader.setDaemon(true);
        reader.start();
        return terminal;
    }

    private static String stty(String... arguments) throws IOException {
        String[] line = new String[arguments.length + 1];
        line[0] = "stty";
        System.arraycopy(arguments, 0, line, 1, arguments.length);
        Process process = new ProcessBuilder(line)
                .redirectInput(new File("/dev/tty"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
    }

    private void read() {
        try {
            InputStream in = System.in;
            int key;
            do {
                key = in.read();
                keys.add(key);
            } while (key >= 0);
        } catch (IOException gone) {
            keys.add(END);
        }
    }

    /** The next key that is pressed within this time. */
    OptionalInt key(long millis) {
        try {
            Integer key = keys.poll(millis, TimeUnit.MILLISECONDS);
            return key == null ? OptionalInt.empty() : OptionalInt.of(key);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return OptionalInt.of(END);
        }
    }

    int lines() {
        try {
            String[] size = stty("size").split(" ", -1);
            int lines = size.length == 2 ? Integer.parseInt(size[0]) : USUAL_LINES;
            return lines > 0 ? lines : USUAL_LINES;
        } catch (IOException | NumberFormatException unknown) {
            return USUAL_LINES;
        }
    }

    /** Shows lines that each end with {@link #END_OF_LINE}, and a last one. */
    void show(String frame) {
        System.out.print(FROM_THE_TOP + frame + CLEAR_THE_REST);
        System.out.flush();
    }

    private synchronized void restore() {
        if (restored) {
            return;
        }
        restored = true;
        System.out.print(RESTORE);
        System.out.flush();
        try {
            stty(before);
        } catch (IOException gone) {
            // The terminal is gone, and with it what there was to restore.
        }
    }

    @Override
    public void close() {
        restore();
        Runtime.getRuntime().removeShutdownHook(onExit);
    }
}
