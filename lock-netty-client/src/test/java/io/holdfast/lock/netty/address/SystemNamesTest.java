package io.holdfast.lock.netty.address;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SystemNamesTest {

    @Test
    void theSpellingsOfANameDifferInCaseOnly() {
        List<String> spellings = IntStream.range(0, 32)
                .mapToObj(number -> SystemNames.respelled("a-b.c1De", number))
                .toList();
        assertThat(spellings).doesNotHaveDuplicates().allMatch("a-b.c1de"::equalsIgnoreCase);
        assertThat(SystemNames.respelled("a-b.c1De", 32)).isEqualTo("a-b.c1De");
        assertThat(SystemNames.respelled("10.0.0.1", 7)).isEqualTo("10.0.0.1");
    }

    @Test
    void aNameIsFoundInAnySpelling() throws UnknownHostException {
        SystemNames names = new SystemNames();
        for (int i = 0; i < 5; i++) {
            assertThat(names.addressesNow("localhost")).containsAll(names.addresses("localhost"));
        }
    }
}
