package io.holdfast.lock.engine.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Args;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldsTest {

    private final Fields fields = new Fields("c0ffee-é");

    @Test
    void noFieldComesTwice() {
        Set<String> seen = new HashSet<>();
        for (int i = 1; i <= 12_345; i++) {
            String field = next(Owner.thread(17));
            assertThat(field).isEqualTo("c0ffee-é:17:" + i);
            assertThat(seen.add(field)).isTrue();
        }
    }

    @Test
    void aHandleHasAMark() {
        assertThat(next(Owner.standalone(new AtomicLong(8)))).isEqualTo("c0ffee-é:h9:1");
    }

    @Test
    void thatOfAPlainCallInAQueueHasAMark() {
        assertThat(written(fields.nextBeside(Owner.thread(17)))).isEqualTo("c0ffee-é:17:01");
        byte[] second = fields.nextBeside(Owner.standalone(new AtomicLong(8)));
        assertThat(written(second)).isEqualTo("c0ffee-é:h9:02");
        assertThat(Fields.number(second)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 9, 10, 99, 100, -1, -10, Long.MAX_VALUE, Long.MIN_VALUE})
    void anyNumberIsAnOwner(long id) {
        assertThat(next(Owner.thread(id))).isEqualTo("c0ffee-é:" + id + ":1");
    }

    /** A new field as it is written. */
    private String next(Owner owner) {
        return written(fields.next(owner));
    }

    private String written(byte[] field) {
        Written written = new Written();
        fields.write(field, written);
        return written.text;
    }

    private static final class Written implements Args {

        private String text = "";

        @Override
        public Args key(byte[] key) {
            throw new AssertionError("a field is no key");
        }

        @Override
        public Args arg(byte[] value) {
            text = new String(value, StandardCharsets.UTF_8);
            return this;
        }

        @Override
        public Args arg(long value) {
            throw new AssertionError("a field is no number");
        }
    }
}
