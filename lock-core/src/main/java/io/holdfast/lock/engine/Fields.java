package io.holdfast.lock.engine;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers the fields of one client, {@code <client>:<owner>:<number>}, so that none is ever used twice (rule 1). Every
 * acquisition needs one, so they are put together without a detour over texts.
 */
final class Fields {

    private final byte[] client;
    private final AtomicLong numbers = new AtomicLong();

    Fields(String clientId) {
        client = (clientId + ':').getBytes(StandardCharsets.UTF_8);
    }

    byte[] next(Owner owner) {
        long number = numbers.incrementAndGet();
        int marks = owner.handle() ? 2 : 1;
        byte[] field = new byte[client.length + marks + digits(owner.id()) + digits(number)];
        System.arraycopy(client, 0, field, 0, client.length);
        int at = client.length;
        if (owner.handle()) {
            field[at++] = 'h';
        }
        at += digits(owner.id());
        write(owner.id(), field, at);
        field[at] = ':';
        write(number, field, field.length);
        return field;
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
