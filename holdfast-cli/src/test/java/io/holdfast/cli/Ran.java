package io.holdfast.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;

/** A command that has run to its end within this process, which costs no start of a JVM: its status and its output. */
record Ran(int status, String out, String err) {

    static {
        System.setProperty("holdfast.in", "file");
        System.setProperty("holdfast.out", "file");
    }

    static Ran of(String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        System.setOut(new PrintStream(written, true, Charset.defaultCharset()));
        System.setErr(new PrintStream(complained, true, Charset.defaultCharset()));
        try {
            int status = Holdfast.execute(arguments);
            return new Ran(
                    status, written.toString(Charset.defaultCharset()), complained.toString(Charset.defaultCharset()));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    /** Runs a command at a server. */
    static Ran at(String url, String command, String... arguments) {
        String[] all = new String[arguments.length + 3];
        all[0] = command;
        all[1] = "--url";
        all[2] = url;
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        return of(all);
    }
}
