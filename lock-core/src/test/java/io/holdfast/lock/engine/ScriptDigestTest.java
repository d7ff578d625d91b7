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
            Map.entry("acquire", "45eea074d9619ce638a2ba62a6a9b429ad1ef420"),
            Map.entry("adopt", "dd0cd6c0faf3e88303c33aa3f39596bd23a3ffa8"),
            Map.entry("fenced-get", "18bf2c962b262c17fa6d799fa42723298f7ab6c2"),
            Map.entry("fenced-set", "449accd12e5d4063849c6777451f8fa7a655f12e"),
            Map.entry("force", "5a3b1eb95eb244e61dc7aa9acbc433b46bc4f1c6"),
            Map.entry("inspect", "5dd500fdee839314609f5ba46d2dfd1bfe749007"),
            Map.entry("mark", "909803fdf8c54bc6d9b9ad3440d96f2c8bd1b6e9"),
            Map.entry("marked", "f5607f52f26f98f862ba09e866014f70e4cf2790"),
            Map.entry("propose", "e6f13cf4ea67eee165c0cd88de3c1968285fcde8"),
            Map.entry("reenter", "a25f03a6f4c52b0f2ca1f8bab1da27fbf70afcc6"),
            Map.entry("release", "7c4808f6cabfd65c42c8f7958ff7e814d46dcb29"),
            Map.entry("renew", "fce8b6e2fa5837dbba1309ac40ad44877ba8dbbd"),
            Map.entry("transfer", "5930a18abec5f984cc86ce7abca44533612ac935"));

    @Test
    void noScriptHasChangedUnnoticed() {
        assertThat(digests()).isEqualTo(PINNED);
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
