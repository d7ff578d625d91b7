package io.holdfast.lock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaskTest {

    @ParameterizedTest
    @CsvSource({
        "report, report",
        "order:4711, order:*",
        "order:4711:item:12, order:*:item:*",
        "invoice-2026-11-23, invoice-*-*-*",
        "user-550e8400-e29b-41d4-a716-446655440000, user-*",
        "abcdabcd-abcd-abcd-abcd-abcdefabcdef, *",
        "user-550e8400-e29b-41d4-a716-4466554400001, user-*-*-*-*-*",
        "blob/3fa9c0de, blob/*",
        "blob/0xCAFE, blob/*",
        "blob/0x, blob/*x",
        "facade, facade",
        "decade of cafe, decade of cafe",
        "shard7b, shard*b",
        "v2, v*",
        "tenant_42_nightly, tenant_*_nightly",
        "\u0661\u0662 order, * order",
    })
    void masksWhatTellsOneThingOfAKindFromAnother(String name, String masked) {
        assertThat(Mask.of(name)).isEqualTo(masked);
    }

    @Test
    void everyUuidGivesTheSame() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(Mask.of("cart:" + UUID.randomUUID() + ":lock")).isEqualTo("cart:*:lock");
        }
    }

    @Test
    void isShownOnOneLine() {
        assertThat(Mask.of("a\nb\u202e")).isEqualTo("a\\u*ab\\u202e".replace("*", "000"));
    }

    @Test
    void takesTimeByLengthWhateverTheNameIs() {
        for (String evil : new String[] {
            "a".repeat(200_000), "a-".repeat(100_000), "0x".repeat(100_000), "-", "aaaaaaaa-".repeat(22_000)
        }) {
            long begin = System.nanoTime();
            Mask.of(evil);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));
        }
    }
}
