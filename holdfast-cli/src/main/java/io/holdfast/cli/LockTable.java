package io.holdfast.cli;

import io.holdfast.cli.text.Cells;
import io.holdfast.cli.text.Screen;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.text.Printable;
import java.time.Instant;

/** The columns of a list of locks, whose widths are known before the first lock is: lists are printed as they are read. */
final class LockTable {

    private static final int TIME_WIDTH = 7;
    private static final int MODE_WIDTH = 9;
    private static final int WAIT_WIDTH = 4;
    private static final int GAP = 1;

    /** Narrower tables have no mode and no holder, still narrower ones only the name and the time that is left. */
    private static final int WITH_HOLDER = 60;

    private static final int WITH_TIMES = 36;
    private static final int UNBOUNDED_NAME = 32;
    private static final int UNBOUNDED_HOLDER = 32;

    private final boolean unbounded;
    private final boolean holder;
    private final boolean times;
    private final int nameWidth;
    private final int holderWidth;

    LockTable(int width) {
        unbounded = width == Screen.UNBOUNDED;
        holder = width >= WITH_HOLDER;
        times = width >= WITH_TIMES;
        int fixed = GAP
                + TIME_WIDTH
                + (times ? 2 * GAP + TIME_WIDTH + WAIT_WIDTH : 0)
                + (holder ? 2 * GAP + MODE_WIDTH : 0);
        int rest = unbounded ? 0 : width - fixed;
        nameWidth = unbounded ? UNBOUNDED_NAME : holder ? rest / 2 : rest;
        holderWidth = unbounded ? UNBOUNDED_HOLDER : rest - rest / 2;
    }

    String header() {
        return line("NAME", "MODE", "HOLDER", "HELD", "LEFT", "WAIT");
    }

    String row(LockInfo lock, Instant now) {
        return line(
                Printable.of(lock.name()),
                LockView.mode(lock),
                LockView.holders(lock),
                LockView.shortly(LockView.held(lock, now)),
                LockView.shortly(lock.timeToLive()),
                String.valueOf(LockView.waiters(lock)));
    }

    private String line(String name, String mode, String who, String held, String left, String wait) {
        StringBuilder line = new StringBuilder(fit(name, nameWidth));
        if (holder) {
            line.append(' ').append(Cells.fit(mode, MODE_WIDTH)).append(' ').append(fit(who, holderWidth));
        }
        if (times) {
            line.append(' ').append(Cells.right(held, TIME_WIDTH));
        }
        line.append(' ').append(Cells.right(left, TIME_WIDTH));
        if (times) {
            line.append(' ').append(Cells.right(wait, WAIT_WIDTH));
        }
        return line.toString();
    }

    private String fit(String text, int width) {
        return unbounded && Cells.width(text) > width ? text : Cells.fit(text, width);
    }
}
