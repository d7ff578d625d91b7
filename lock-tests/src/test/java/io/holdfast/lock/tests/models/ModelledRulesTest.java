package io.holdfast.lock.tests.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page says which rules of the protocol have no model: all that no model can do without. */
class ModelledRulesTest {
    /** How a rule of the protocol begins: its number in bold. */
    private static final Pattern RULE = Pattern.compile("^\\*\\*(\\d+)\\. ", Pattern.MULTILINE);

    private static final Pattern WITHOUT = Pattern.compile("Rules without a model: ([\\d,\\s]+)\\.");

    @Test
    void thePageNamesTheRulesWithoutAModel() throws Exception {
        Path page = ModelsPage.find(Path.of("")).file();
        Set<Integer> missing = numbers(RULE.matcher(Files.readString(page.resolveSibling("rules.md"))));
        assertThat(missing).contains(1, 38, 94);
        Subject.ALL.forEach(subject ->
                subject.rules().forEach(rule -> missing.remove(rule.leftOut().number())));

        Matcher told = WITHOUT.matcher(Files.readString(page));
        assertThat(told.find()).isTrue();
        assertThat(numbers(Pattern.compile("(\\d+)").matcher(told.group(1)))).isEqualTo(missing);
    }

    @Test
    void theProtocolHasAllRulesThatAreModelled() throws Exception {
        Path page = ModelsPage.find(Path.of("")).file();
        Set<Integer> inProtocol = numbers(RULE.matcher(Files.readString(page.resolveSibling("rules.md"))));
        Subject.ALL.forEach(subject -> subject.rules().forEach(rule -> assertThat(inProtocol)
                .as(
                        "%s: rule %d is in the protocol",
                        rule.name(), rule.leftOut().number())
                .contains(rule.leftOut().number())));
    }

    private static Set<Integer> numbers(Matcher found) {
        return found.results()
                .map(rule -> Integer.valueOf(rule.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
