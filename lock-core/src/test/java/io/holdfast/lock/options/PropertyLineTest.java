package io.holdfast.lock.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Properties;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines of a properties file are those that the JDK finds in it, with their numbers. */
class PropertyLineTest {

    @Property(tries = 4_000)
    void areWhatTheJdkReadsUnlessOneGoesOn(@ForAll("texts") String text) throws Exception {
        Properties found = new Properties();
        try {
            for (PropertyLine line : PropertyLine.in(text)) {
                found.put(line.name(), line.value());
            }
        } catch (PropertyLine.MalformedException refused) {
            assertThat(text.split("\r\n|\r|\n", -1)[refused.number() - 1]).endsWith("\\");
            return;
        }
        assertThat(found).isEqualTo(readByTheJdk(text));
    }

    @Test
    void haveTheirNumbers() throws Exception {
        List<PropertyLine> lines = PropertyLine.in("\n# no\\\na=1\r\nb=\t2\\\\\n  \r\rc\n");

        assertThat(lines).extracting(PropertyLine::number).containsExactly(3, 4, 7);
        assertThat(lines).extracting(PropertyLine::name).containsExactly("a", "b", "c");
        assertThat(lines).extracting(PropertyLine::value).containsExactly("1", "2\\", "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "b=\\u12",
                "b=1\\\nc=2",
                "b=\\\\\\",
                "\\",
                "b=\fc",
                "b\u0085c",
                "b=\u2028c",
                "b=\u2029c",
                "b=\u0000"
            })
    void aLineThatIsNotWhatItLooksLikeIsToldByItsNumber(String line) {
        assertThatThrownBy(() -> PropertyLine.in("a=1\n" + line))
                .isInstanceOfSatisfying(
                        PropertyLine.MalformedException.class,
                        malformed -> assertThat(malformed.number()).isEqualTo(2));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of("a", "b", "=", ":", " ", "\t", "#", "!", "\\", "\\\\", "\n", "\r", "\r\n", "\\u0041", "é")
                .list()
                .ofMaxSize(20)
                .map(pieces -> String.join("", pieces));
    }

    private static Properties readByTheJdk(String text) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(text));
        return properties;
    }
}
