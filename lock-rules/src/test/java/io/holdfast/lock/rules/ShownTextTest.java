package io.holdfast.lock.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing foreign reaches a log, a message or a toString as it is; code that lets it is found out. */
@Tag("once")
class ShownTextTest {

    @Test
    void publishedCodeShowsNothingForeignAsItIs() throws IOException {
        List<Source> published = Source.all().stream()
                .filter(source -> source.isJava() && source.isPublished())
                .filter(source -> !source.path().endsWith("/module-info.java"))
                .toList();
        assertThat(ShownText.violations(published)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "log.warn(\"lock {}\", name);",
                "log.warn(\"lock \" + name);",
                "log.info(\"lock {}, {}\", 1, name.trim());",
                "log.debug(\"{}\", thread);",
                "log.error(\"{} failed\", names.get(0), new RuntimeException());",
                "String said = name; log.warn(said);",
                "throw new IllegalArgumentException(\"lock \" + name);",
                "throw new IllegalStateException(\"lock \" + through(name));",
                "throw new OurException(name);",
                "throw new IllegalStateException(number > 1 ? \"one\" : name);",
                "new Object() { @Override public String toString() { return name; } }.hashCode();",
            })
    void foreignTextThatIsShownAsItIsIsRejected(String statement) {
        assertThat(violations(statement)).isNotEmpty().allSatisfy(found -> assertThat(found)
                .contains("Shows.java:")
                .contains("Printable.of(...)")
                .contains("Printable.message(...)"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "log.warn(\"lock {}\", Printable.of(name));",
                "log.warn(\"{} locks\", number, new RuntimeException(\"broken\"));",
                "String said = \"lock \" + Printable.of(name); log.warn(said);",
                "throw new IllegalStateException(\"lock \" + through(Printable.of(name)));",
                "throw new OurException(Printable.message(name + thread));",
                "throw new IllegalStateException(number > 1 ? \"one\" : \"many: \" + number);",
                "throw new IllegalStateException(new RuntimeException(\"broken\"));",
            })
    void textThatIsMadePrintableIsAccepted(String statement) {
        assertThat(violations(statement)).isEmpty();
    }

    private static List<String> violations(String statement) {
        String text =
                """
                import io.holdfast.lock.text.Printable;
                class Shows {
                    static final org.slf4j.Logger log = org.slf4j.LoggerFactory.getLogger(Shows.class);
                    static class OurException extends RuntimeException {
                        OurException(String message) {
                            super(message);
                        }
                    }
                    static final RuntimeException ONE = new OurException("one");
                    static String through(String text) {
                        return "'" + text + "'";
                    }
                    void show(String name, Thread thread, int number, java.util.List<String> names) {
                        %s
                    }
                }
                """
                        .formatted(statement);
        return ShownText.violations(List.of(new Source("Shows.java", text)));
    }
}
