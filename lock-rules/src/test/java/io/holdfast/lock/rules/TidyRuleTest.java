package io.holdfast.lock.rules;

import static io.holdfast.lock.rules.TidyRule.LINE_LIMIT;
import static io.holdfast.lock.rules.TidyRule.README_WORD_LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The project's files are tidy; a file that is not is found out. */
class TidyRuleTest {
    private static final String JAVA = "lock-core/src/main/java/io/holdfast/lock/Example.java";
    private static final String TEST = "lock-core/src/test/java/io/holdfast/lock/ExampleTest.java";

    @ParameterizedTest
    @EnumSource
    void holds(TidyRule rule) throws IOException {
        assertThat(rule.violations(Source.all())).isEmpty();
    }

    static Stream<Arguments> untidy() {
        return Stream.of(
                arguments(TidyRule.NO_UNFINISHED_MARKS, new Source("README.md", "TO" + "DO: write this")),
                arguments(TidyRule.NO_UNFINISHED_MARKS, new Source(JAVA, "// FIX" + "ME later")),
                arguments(TidyRule.NO_TABS, new Source(JAVA, "\tint a;")),
                arguments(TidyRule.NO_MACHINE_PATHS, new Source("README.md", "cd /" + "home/me/holdfast")),
                arguments(TidyRule.NO_EMPTY_CATCH, new Source(JAVA, "try { a(); } catch (Exception e) {" + "\n }")),
                arguments(TidyRule.NO_TEST_SWITCHED_OFF, new Source(JAVA, "@Dis" + "abled @Test void a() {}")),
                arguments(TidyRule.TESTS_ARE_NAMED_ALIKE, new Source(TEST, "    void named_" + "otherwise() {}")),
                arguments(TidyRule.TESTS_ARE_NAMED_ALIKE, new Source(TEST, "    void " + "a".repeat(61) + "() {}")),
                arguments(TidyRule.NO_INLINE_LUA, new Source(JAVA, "String script = \"return redis.call('GET')\";")),
                arguments(TidyRule.SMALL_FILES, new Source(JAVA, "line\n".repeat(LINE_LIMIT + 1))),
                arguments(TidyRule.PACKAGES_ARE_DESCRIBED, new Source(JAVA, "class Example {}")),
                arguments(
                        TidyRule.SCRIPTS_OPEN_WITH_THEIR_CONTRACT,
                        new Source("lock-core/src/main/resources/a.lua", "-- KEYS: a. ARGV: b.\nreturn 'reply'")),
                arguments(TidyRule.README_IS_SHORT, new Source("README.md", "word ".repeat(README_WORD_LIMIT + 1))));
    }

    @ParameterizedTest
    @MethodSource("untidy")
    void isBrokenBy(TidyRule rule, Source source) {
        assertThat(rule.violations(List.of(source))).hasSize(1);
    }

    @Test
    void twoTestClassesOfOneNameAreFoundOut() {
        List<Source> alike = List.of(new Source(TEST, ""), new Source(TEST.replace("lock-core", "lock-tests"), ""));
        assertThat(TidyRule.TEST_CLASSES_ARE_TOLD_APART.violations(alike)).hasSize(1);
    }

    @Test
    void everyRuleIsShownToBite() {
        Set<Object> shown = untidy().map(arguments -> arguments.get()[0]).collect(Collectors.toSet());
        shown.add(TidyRule.TEST_CLASSES_ARE_TOLD_APART);
        assertThat(shown).containsExactlyInAnyOrderElementsOf(EnumSet.allOf(TidyRule.class));
    }
}
