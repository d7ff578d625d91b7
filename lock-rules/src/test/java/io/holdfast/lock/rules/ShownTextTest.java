package io.holdfast.lock.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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

    @Test
    void foreignTextThatIsShownAsItIsIsRejected() {
        List<String> statements = List.of(
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
                "new Object() { @Override public String toString() { return name; } }.hashCode();");
        Map<String, List<String>> found = violations(statements);
        assertThat(statements).allSatisfy(statement -> assertThat(found.get(statement))
                .isNotEmpty()
                .allMatch(said -> said.contains("Printable.of(...)") && said.contains("Printable.message(...)")));
    }

    @Test
    void textThatIsMadePrintableIsAccepted() {
        List<String> statements = List.of(
                "log.warn(\"lock {}\", Printable.of(name));",
                "log.warn(\"{} locks\", number, new RuntimeException(\"broken\"));",
                "String said = \"lock \" + Printable.of(name); log.warn(said);",
                "throw new IllegalStateException(\"lock \" + through(Printable.of(name)));",
                "throw new OurException(Printable.message(name + thread));",
                "throw new IllegalStateException(number > 1 ? \"one\" : \"many: \" + number);",
                "throw new IllegalStateException(new RuntimeException(\"broken\"));");
        Map<String, List<String>> found = violations(statements);
        assertThat(statements)
                .allSatisfy(statement -> assertThat(found.get(statement)).isEmpty());
    }

    /** What is wrong with each statement: the compiler sees all in one go, each in a file and a package of its own. */
    private static Map<String, List<String>> violations(List<String> statements) {
        List<Source> sources = new ArrayList<>();
        for (String statement : statements) {
            String packageName = "shows" + sources.size();
            sources.add(new Source(packageName + "/Shows.java", "package " + packageName + ";\n" + around(statement)));
        }
        List<String> found = ShownText.violations(sources);
        Map<String, List<String>> violations = new LinkedHashMap<>();
        for (int i = 0; i < sources.size(); i++) {
            String path = sources.get(i).path() + ":";
            violations.put(
                    statements.get(i),
                    found.stream().filter(said -> said.startsWith(path)).toList());
        }
        return violations;
    }

    private static String around(String statement) {
        return """
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
    }
}
