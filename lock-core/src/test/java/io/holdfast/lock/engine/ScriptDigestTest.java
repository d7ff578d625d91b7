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
            Map.entry("acquire", "fd26dcb3b5bd976003711496bc81ca70c0d1827d"),
            Map.entry("adopt", "166086132e2f12de8a3712643a10c58962463b38"),
            Map.entry("fenced-get", "cf69403e9fea02e6ba6fd340d1a5724ee65843c5"),
            Map.entry("fenced-set", "020edae533ded29c3408dfbdb9659a96a52932d2"),
            Map.entry("force", "b5bf45dc142549df4ec020b8e4f6e3710e9fcce9"),
            Map.entry("inspect", "20f662fde975b606ca35cf5f91873ad6c846447a"),
            Map.entry("join", "7ada6a016d70b385ddb2cea2fbb4559b9bf5df8c"),
            Map.entry("mark", "e83109c48bbb71bb998c48dd7a369f06b100ec99"),
            Map.entry("marked", "bdf241fe1f78dad7d7f98eb5ed9f06c05712b4a3"),
            Map.entry("propose", "502de00814434359af4acd4563dc0bb2f06dba94"),
            Map.entry("reenter", "5599fae64f44a0858d09b235de584b6a58011bc7"),
            Map.entry("release", "6c604859c0669a0f6698cde20c37d8b4b84d7f69"),
            Map.entry("renew", "3f1a34178a3a6709873536340c517bdcac59e438"),
            Map.entry("transfer", "9dcdce657802d23d0a160c8983102b0ad36a5db3"));

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
