package io.holdfast.lock.tests.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** With all rules no invariant can be broken; without any one of them the invariant that it guards can. */
class ModelsTest {

    @TestFactory
    List<DynamicTest> with_all_rules_everything_holds() {
        return allRules(false);
    }

    @TestFactory
    @Tag("long")
    List<DynamicTest> with_all_rules_everything_holds_also_in_larger_bounds() {
        return allRules(true);
    }

    @TestFactory
    List<DynamicTest> without_a_rule_its_invariant_is_broken() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Subject<?, ?> subject : Subject.ALL) {
            for (Rule rule : subject.rules()) {
                tests.add(DynamicTest.dynamicTest(subject.name() + " without " + rule.name(), () -> {
                    Counterexample found = subject.without(rule).counterexample();
                    assertThat(found).as("a counterexample").isNotNull();
                    assertThat(found.broken()).isEqualTo(rule.guards());
                }));
            }
        }
        return tests;
    }

    private static List<DynamicTest> allRules(boolean isLong) {
        List<DynamicTest> tests = new ArrayList<>();
        for (Subject<?, ?> subject : Subject.ALL) {
            for (Bounds bounds : subject.bounds(isLong)) {
                tests.add(DynamicTest.dynamicTest(subject.name() + " within " + bounds.name(), () -> assertThat(
                                subject.withAllRules(bounds).counterexample())
                        .as("counterexample")
                        .isNull()));
            }
        }
        return tests;
    }
}
