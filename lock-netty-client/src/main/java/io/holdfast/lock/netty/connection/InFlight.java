package io.holdfast.lock.netty.connection;

import java.util.Arrays;
import java.util.NoSuchElementException;

/**
 * The commands whose end is open, oldest first: a ring of them and, for each, what has happened to it so far. The server
 * owes them an answer, or has given the oldest an error that is not believed yet.
 *
 * <p>The flags live here and not in the commands, so that a script call needs no wrapper.
 */
final class InFlight {

    /** The call was told that its deadline has passed. */
    static final byte OVERDUE = 1;

    /** The call was written a second time, after NOSCRIPT. */
    static final byte RESENT = 2;

    /** The call was written with its script's source. */
    static final byte WITH_SOURCE = 4;

    /** The call's slot is on its way to this node, which is told each time. */
    static final byte ASKING = 8;

    /** The call brought the server's time along, since that refuses {@code TIME} in scripts. */
    static final byte TIMED = 16;

    /** The call was written as a command, whose answer has no number. */
    static final byte PLAIN = 32;

    private final long firstNumber;
    private Object[] commands = new Object[64];
    private byte[] flags = new byte[64];
    private int head;
    private int size;
    private long added;

    /** @param firstNumber the number of the first command; each has the next one */
    InFlight(long firstNumber) {
        this.firstNumber = firstNumber;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(Object command, byte commandFlags) {
        if (size == commands.length) {
            grow();
        }
        int tail = index(size);
        commands[tail] = command;
        flags[tail] = commandFlags;
        size++;
        added++;
    }

    /** The number that the next command will have. */
    long nextNumber() {
        return firstNumber + added;
    }

    /** The number of the command at a position counted from the oldest. */
    long number(int position) {
        return nextNumber() - size + position;
    }

    /** The flags of the oldest command. */
    byte oldestFlags() {
        return flags[head];
    }

    /** Takes the oldest command out. */
    @SuppressWarnings("NullAway") // an emptied place holds null, and only an emptied place
    Object remove() {
        if (size == 0) {
            throw new NoSuchElementException("nothing is in flight");
        }
        Object oldest = commands[head];
        commands[head] = null;
        head = index(1);
        size--;
        return oldest;
    }

    /** The command at a position counted from the oldest. */
    Object get(int position) {
        return commands[index(position)];
    }

    boolean has(int position, byte flag) {
        return (flags[index(position)] & flag) != 0;
    }

    void set(int position, byte flag) {
        flags[index(position)] |= flag;
    }

    private int index(int position) {
        return (head + position) & (commands.length - 1);
    }

    private void grow() {
        int length = commands.length;
        Object[] moreCommands = Arrays.copyOf(commands, 2 * length);
        byte[] moreFlags = Arrays.copyOf(flags, 2 * length);
        // What wrapped around to the front continues behind the old end.
        System.arraycopy(commands, 0, moreCommands, length, head);
        System.arraycopy(flags, 0, moreFlags, length, head);
        Arrays.fill(moreCommands, 0, head, null);
        commands = moreCommands;
        flags = moreFlags;
    }
}
