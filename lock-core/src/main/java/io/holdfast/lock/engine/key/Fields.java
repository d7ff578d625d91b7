package io.holdfast.lock.engine.key;

import io.holdfast.lock.spi.Args;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * Numbers the fields of one client, {@code <client>:<owner>:<number>}, so that none is ever used twice (rule 1). The number of a plain
 * call that stands in a queue begins with a 0: others see by it that the place is no fair call's (rule 132).
 *
 * <p>The client's part is the same in all of them. So the engine keeps and passes on the rest of a field only, which is
 * short, and the whole is put together where it is written. Every acquisition needs one, hence no detour over texts.
 */
public final class Fields {

    private static final Pattern OF_OTHERS = Pattern.compile(":[1-9][0-9]*([ ;]|$)");

    private final byte[] client;
    private final AtomicLong numbers = new AtomicLong();

    public Fields(String clientId) {
        client = (clientId + ':').getBytes(StandardCharsets.UTF_8);
    }

    /** A new field, as the engine knows it: {@code <owner>:<number>}. */
    public byte[] next(Owner owner) {
        return field(owner, numbers.incrementAndGet(), false);
    }

    /** The same for a plain call that stands in a queue. */
    public byte[] nextBeside(Owner owner) {
        return field(owner, numbers.incrementAndGet(), true);
    }

    /** Whether a text names fields of other calls than plain ones that stand in a queue. */
    public static boolean namesOthers(String text) {
        return OF_OTHERS.matcher(text).find();
    }

    /** So many new fields that follow each other, as a {@link Span}. */
    public byte[] next(Owner owner, int size) {
        return Span.of(field(owner, numbers.addAndGet(size) - size + 1, false), size);
    }

    private static byte[] field(Owner owner, long number, boolean isBeside) {
        int marks = (owner.standalone() ? 2 : 1) + (isBeside ? 1 : 0);
        byte[] field = new byte[marks + digits(owner.id()) + digits(number)];
        int at = 0;
        if (owner.standalone()) {
            field[at++] = 'h';
        }
        at += digits(owner.id());
        write(owner.id(), field, at);
        field[at] = ':';
        if (isBeside) {
            field[at + 1] = '0';
        }
        write(number, field, field.length);
        return field;
    }

    /** Writes the whole field as an argument. */
    public Args write(byte[] field, Args out) {
        return out.arg(client, field);
    }

    /** Writes the whole field behind a letter as an argument: how a queue has it. */
    public Args write(byte[] letter, byte[] field, Args out) {
        return out.arg(letter, client, field);
    }

    /** Writes what all fields of the client begin with. */
    public Args writeClient(Args out) {
        return out.arg(client);
    }

    /** The number at the end of a field, or of the first field of a {@link Span}: the younger of two has the greater. */
    public static long number(byte[] field) {
        long number = 0;
        for (byte character : field) {
            if (character == ':') {
                number = 0;
            } else if (character == Span.TIMES) {
                break;
            } else {
                number = number * 10 + (character - '0');
            }
        }
        return number;
    }

    private static int digits(long number) {
        int digits = number < 0 ? 2 : 1;
        for (long rest = number / 10; rest != 0; rest /= 10) {
            digits++;
        }
        return digits;
    }

    /** Writes a number so that it ends before a place. */
    private static void write(long number, byte[] into, int end) {
        int at = end;
        long rest = number;
        do {
            into[--at] = (byte) ('0' + Math.abs(rest % 10));
            rest /= 10;
        } while (rest != 0);
        if (number < 0) {
            into[--at] = '-';
        }
    }
}
