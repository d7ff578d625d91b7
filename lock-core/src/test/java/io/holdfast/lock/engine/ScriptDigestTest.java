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
            Map.entry("acquire", "84098b33a6668db6686a93c4c6ad1b048fd266dc"),
            Map.entry("adopt", "0e40b0eb93223a1f8c540d8cf933bd6f1eed00db"),
            Map.entry("fenced-get", "b0ec4d7067c4aac3ecfe0ec2a1a43a348e5cae6a"),
            Map.entry("fenced-set", "f231ab52a489cc9ae772805503db53807a7c4b67"),
            Map.entry("force", "80ab0ecf1465cb672623c06216c18e529c9b243d"),
            Map.entry("inspect", "c92934c10a11a4d1872fb312d1d0b8c632a6c831"),
            Map.entry("mark", "66c676b895f2409411ef363443d2c159fe76eab5"),
            Map.entry("marked", "b90ae115d466f06bcefad3c32ccbcb20160579ba"),
            Map.entry("propose", "b93a8e43973c019d29f2e552f144ccb546de0d50"),
            Map.entry("reenter", "7a8a979e1fac402082cdff23b3891960433510c2"),
            Map.entry("release", "f695a6f4f7a84d62847a92fc0a0fd91ff98bd297"),
            Map.entry("renew", "c14b12f8348966440129c472c0470160ff5c37a2"),
            Map.entry("transfer", "d7c54f67cb9c4bdcf8402265ae8fc64418a2edf0"));

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
