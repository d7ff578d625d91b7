package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Script;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisTest;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The digests of all scripts, pinned: two versions of this library that share a lock run different scripts on it once
 * one of these changes. Whoever changes a script changes its digest here, and says so in the change log's protocol part.
 */
@RedisTest
class ScriptDigestTest {
    private static final Map<String, String> PINNED = Map.ofEntries(
            Map.entry("acquire", "8cbfa40eb383d0c75d460cb1f7ea599f28fc365c"),
            Map.entry("adopt", "60ec5755deb823f75f1f039f9c2782f0017e415d"),
            Map.entry("fenced-get", "f047fb08f68b3b6988ba36559ad2075eaac6bd56"),
            Map.entry("fenced-set", "a683ea8075331f7157c901f46aebb279e4c09cbd"),
            Map.entry("force", "eb40f2a54da31cc23788fed8ee0e12e989e37100"),
            Map.entry("inspect", "2a66001a9e06968eed2b7bca683854577401c01c"),
            Map.entry("join", "c9fdc78f1d7e57f12190d5f13e38009c02449d1e"),
            Map.entry("mark", "fc759a37ae887f0f22201ac83bf791b3af9754b8"),
            Map.entry("marked", "5a94c1386356b50673440d6b4ad80e0c0e69f8f7"),
            Map.entry("propose", "8a00c3a89e05d68b326ae77911600203c8c58e95"),
            Map.entry("reenter", "e3adf00314cba441588f0571c0703090f43a4351"),
            Map.entry("release", "444e1fafa2c3f26ee76ad02275354d8567bce994"),
            Map.entry("renew", "ade8724e44b8a45f75a196f143a1aa52efdf82f9"),
            Map.entry("transfer", "99ae780ac8de87e5d6865da2bf1f4ecea4c97765"));

    @Test
    void noScriptHasChangedUnnoticed() {
        assertThat(digests()).isEqualTo(PINNED);
    }

    @Test
    void noScriptIsMissingFromTheList() {
        assertThat(Scripts.all()).containsExactlyInAnyOrderElementsOf(all().values());
    }

    @Test
    void theServerComputesTheSameDigests(RawRedis redis) {
        for (Script script : all().values()) {
            assertThat(redis.text("SCRIPT", "LOAD", script.source())).isEqualTo(script.sha1());
        }
    }

    private static Map<String, String> digests() {
        Map<String, String> digests = new TreeMap<>();
        all().forEach((name, script) -> digests.put(name, script.sha1()));
        return digests;
    }

    private static Map<String, Script> all() {
        return Arrays.stream(Scripts.class.getDeclaredFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == Script.class)
                .map(ScriptDigestTest::read)
                .collect(Collectors.toMap(Script::name, script -> script));
    }

    private static Script read(Field field) {
        try {
            return (Script) field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
