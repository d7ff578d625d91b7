package io.holdfast.lock.engine.kind;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Script;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which scripts go ahead of others, each by its name (rule 80): what keeps a lock, and never what asks for one. */
class UrgentScriptsTest {

    @Test
    void whatKeepsOrEndsAHoldIsUrgent() {
        assertThat(Scripts.all())
                .filteredOn(Script::isUrgent)
                .extracting(Script::name)
                .containsExactlyInAnyOrder(
                        "mint",
                        "confirm",
                        "leave",
                        "tell",
                        "reenter",
                        "release",
                        "transfer",
                        "turn-release",
                        "turn-transfer",
                        "renew",
                        "adopt",
                        "join",
                        "read-adopt",
                        "read-join",
                        "mark",
                        "marked",
                        "force",
                        "queue-part",
                        "queue-force",
                        "keep",
                        "permit-part",
                        "permit-keep",
                        "cond-await",
                        "cond-signal",
                        "cond-part",
                        "term",
                        "guarded-reenter",
                        "guarded-transfer",
                        "guarded-renew",
                        "guarded-keep",
                        "guarded-permit-keep",
                        "guarded-cond-await",
                        "proclaim");
    }

    @Test
    void whatAsksForALockOrAboutItIsOrdinary() {
        assertThat(Scripts.all())
                .filteredOn(script -> !script.isUrgent())
                .extracting(Script::name)
                .containsExactlyInAnyOrder(
                        "acquire",
                        "turn-acquire",
                        "turn-propose",
                        "turn-give-up",
                        "take",
                        "members",
                        "sweep",
                        "propose",
                        "read-propose",
                        "queue-join",
                        "permit-join",
                        "permit-limit",
                        "permit-look",
                        "inspect",
                        "fenced-set",
                        "fenced-get",
                        "record",
                        "clients",
                        "scan",
                        "looks",
                        "guarded-acquire",
                        "guarded-queue-join",
                        "guarded-permit-join",
                        "latch-set",
                        "latch-count",
                        "latch-delete",
                        "latch-look",
                        "signal-send",
                        "signal-look",
                        "observe",
                        "rights");
    }

    @Test
    void noScriptIsLeftOut() throws IllegalAccessException {
        List<Object> constants = new ArrayList<>();
        for (Class<?> place : List.of(Scripts.class, GuardedScripts.class, SharedScripts.class)) {
            for (Field field : place.getDeclaredFields()) {
                if (field.getType() == Script.class) {
                    constants.add(field.get(null));
                }
            }
        }
        assertThat(Scripts.all())
                .doesNotHaveDuplicates()
                .hasSameSizeAs(constants)
                .containsAll(scripts(constants));
    }

    private static List<Script> scripts(List<Object> constants) {
        return constants.stream().map(Script.class::cast).toList();
    }
}
