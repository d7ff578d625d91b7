package io.holdfast.lock.examples.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConsoleTest {

    private static final String CLEAR_LINE = "\r\u001b[K";

    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(screen, true, StandardCharsets.UTF_8);

    @Test
    void linesAppearAboveTheLiveLine() {
        Console console = new Console(out, true, false);
        console.live("1 of 2");
        console.print("note");
        console.endLive();
        String live = "\u001b[?7l1 of 2\u001b[?7h";
        assertThat(screen()).isEqualTo(live + CLEAR_LINE + "note\n" + live + CLEAR_LINE);
    }

    @Test
    void severalLiveLinesAreTakenAwayFromTheFirstOn() {
        Console console = new Console(out, true, false);
        console.live("one", "two", "three");
        console.print("note");
        console.endLive();
        String live = "\u001b[?7lone\ntwo\nthree\u001b[?7h";
        String clear = "\u001b[2A\r\u001b[J";
        assertThat(screen()).isEqualTo(live + clear + "note\n" + live + clear);
    }

    @Test
    void withoutATerminalThereAreNoControlCharacters() {
        Console console = new Console(out, false, false);
        console.live("1 of 2");
        console.print(console.bad("note"));
        console.endLive();
        assertThat(screen()).isEqualTo("note\n");
    }

    @Test
    void loggedLinesAreIndented() {
        Console console = new Console(out, false, false);
        try (PrintStream log = console.asLog()) {
            log.print("WARN  lost\nINFO");
            log.println("  found");
        }
        assertThat(screen()).isEqualTo("  log: WARN  lost\n  log: INFO  found\n");
    }

    private String screen() {
        return screen.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
