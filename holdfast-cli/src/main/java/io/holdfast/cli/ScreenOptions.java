package io.holdfast.cli;

import io.holdfast.cli.text.Screen;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a command shows what it has found. */
final class ScreenOptions {

    private static final int USUAL_WIDTH = 80;
    private static final int LEAST_WIDTH = 20;

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean json;

    @Option(
            names = "--width",
            paramLabel = "COLUMNS",
            description = "The width of lines; that of the terminal by default.")
    private int width;

    boolean json() {
        return json;
    }

    Screen screen() {
        boolean terminal = Terminal.isOutput();
        boolean colour = terminal && isEmpty(System.getenv("NO_COLOR")) && !"dumb".equals(System.getenv("TERM"));
        return new Screen(System.out, System.err, width(terminal), terminal, colour && !json);
    }

    private int width(boolean terminal) {
        if (width > 0) {
            return Math.max(LEAST_WIDTH, width);
        }
        if (!terminal) {
            return Screen.UNBOUNDED;
        }
        Integer known = Integer.getInteger("holdfast.width");
        return known == null || known < 1 ? USUAL_WIDTH : Math.max(LEAST_WIDTH, known);
    }

    private static boolean isEmpty(@Nullable String text) {
        return text == null || text.isEmpty();
    }
}
