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

/** The lines of a properties file are those that the JDK finds in it, with their numbers. */
class PropertyLineTest {

    @Property(tries = 2_000)
    void areWhatTheJdkReads(@ForAll("texts") String text) throws Exception {
        Properties found = new Properties();
        for (PropertyLine line : PropertyLine.in(text)) {
            found.put(line.name(), line.value());
        }
        Properties read = readByTheJdk(text);
        // A backslash and then nothing is a name for the JDK at the end of a text, and none elsewhere. No option has
        // it.
        found.remove("");
        read.remove("");
        assertThat(found).isEqualTo(read);
    }

    @Test
    void haveTheNumberOfTheirFirstLine() throws Exception {
        List<PropertyLine> lines = PropertyLine.in("\n# no\\\na=1\r\nb=2\\\n  3\r\rc\n");

        assertThat(lines).extracting(PropertyLine::number).containsExactly(3, 4, 7);
        assertThat(lines).extracting(PropertyLine::name).containsExactly("a", "b", "c");
        assertThat(lines).extracting(PropertyLine::value).containsExactly("1", "23", "");
    }

    @Test
    void aMalformedOneIsToldByItsNumber() {
        assertThatThrownBy(() -> PropertyLine.in("a=1\nb=\\u12"))
                .isInstanceOfSatisfying(
                        PropertyLine.MalformedException.class,
                        malformed -> assertThat(malformed.number()).isEqualTo(2));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(
                        "a", "b", "=", ":", " ", "\t", "\f", "#", "!", "\\", "\\\\", "\n", "\r", "\r\n", "\\u0041", "é")
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
