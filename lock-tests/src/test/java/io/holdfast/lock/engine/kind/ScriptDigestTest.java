package io.holdfast.lock.engine.kind;

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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The digests of all scripts, pinned: two versions of this library that share a lock run different scripts on it once
 * one of these changes. Whoever changes a script changes its digest here, and says so in the change log's protocol part.
 */
@RedisTest
class ScriptDigestTest {
    private static final Map<String, String> PINNED = Map.ofEntries(
            Map.entry("acquire", "e2d552da93bab3f983fe0bc1932ff1f3c2d9674b"),
            Map.entry("adopt", "8432786f5ee24639b27e8d5d8a0a32131b9a6e02"),
            Map.entry("clients", "06ca32fbfe21322a68f5f6ebb0da5fbda6733c2e"),
            Map.entry("cond-await", "96e8bd24398e3974353c39da418a180e2a168df1"),
            Map.entry("cond-part", "8fc71e970bda8ecfa0342198226870bfe969da3a"),
            Map.entry("cond-signal", "f8522e8a5024cbc873287bf3c8226a181a8110d4"),
            Map.entry("confirm", "8c3598ee9563afc218e0e88ef7b2d3379b21118b"),
            Map.entry("fenced-get", "4608b76965de13f79ef57d490fb4d5f7343d41f0"),
            Map.entry("fenced-set", "8a2b717ef3547a5fc8426607923ddd173da02c84"),
            Map.entry("force", "3d077e25750c5ded1afc8dd7c628598cfb85a2ba"),
            Map.entry("guarded-acquire", "46f38c4c0f77665889f602d837c24d5f33d9ddd5"),
            Map.entry("guarded-cond-await", "544eedc6c79ea6cd58453f8a62ffd1afe124a9e4"),
            Map.entry("guarded-keep", "8f01a3382edced46e1a0b3eae70e48f80e9408f0"),
            Map.entry("guarded-permit-join", "30b8b33ee4b221c09f3fc82cc854afb78d390768"),
            Map.entry("guarded-permit-keep", "0d4b9acc56509b69eef9cfb93831a34ef0672df4"),
            Map.entry("guarded-queue-join", "01e2bb383510815e16fc11acd88e998ab718d848"),
            Map.entry("guarded-reenter", "daaf3f6ed228149be462c2625ce5353286fc2b7e"),
            Map.entry("guarded-renew", "511ba8003fcccba23fb75e75f363ddbb625e34cc"),
            Map.entry("guarded-transfer", "f86aca2a71a51e8c0e77865af6b862fe333ce8aa"),
            Map.entry("inspect", "856a1e2a5e0c2d14cac472e4c93a21df404ddd0c"),
            Map.entry("join", "7e343d5962d9d451ddec1bd5d032474c0ebd5dc5"),
            Map.entry("keep", "1633cba2d3a8102a99a72eebe8c8efce0cedec3c"),
            Map.entry("latch-count", "cb48b54cee7538b2a46033b5bf860563250f7487"),
            Map.entry("latch-delete", "a52a7f88e59beac44e37f98e403c6f0e7b2edb67"),
            Map.entry("latch-look", "8d98f9bedb417b25cf38278dde15e2f4a29ec66d"),
            Map.entry("latch-set", "923608cf923055f5e48bdcaba6ed7628a1111498"),
            Map.entry("leave", "3d9ded0ccdb3f7074e0e93850d46cbaf6ce5b06d"),
            Map.entry("mark", "5bb0830c914db6382ae7db49452da5d44cc479c2"),
            Map.entry("marked", "f7e60f52d5b2a6b112315266a5afc5f52fd36567"),
            Map.entry("members", "a62c34b00ab519c47e1bcdd3a9460ca2bb06594c"),
            Map.entry("mint", "f4198b1b3f14f7d1c8de5c5289efe2ba0a24d594"),
            Map.entry("observe", "e83fd5d6edf7703db6d9e40f6fa7eea61ac3f8f9"),
            Map.entry("permit-join", "6e979f376b569ef4381608c4b484cd7185b82ee5"),
            Map.entry("permit-keep", "e19ec9e72100c6030f8e40bff51eb5a47e6b15e6"),
            Map.entry("permit-limit", "3fbf51e41936c382b394745dd8ba87305ad0acc0"),
            Map.entry("permit-look", "b11ef81798fc2c69aa1bbd21394d8823f281b477"),
            Map.entry("permit-part", "71f39dc673a3bd3ae155f7dfd0465afa0e2ba79c"),
            Map.entry("proclaim", "139647c9afb8b0ad27c1930413bf54ce32492769"),
            Map.entry("propose", "9ee0cc58dbef45d169e7482db6baa719fa476226"),
            Map.entry("queue-force", "76628f62fb5f08d0ec58d113cc426d3d7be6b244"),
            Map.entry("queue-join", "cb12c87d70f10705be246eefb4a20d2b04815038"),
            Map.entry("queue-part", "b4362330993980518d2113c0b23f8cdac3a36bfc"),
            Map.entry("read-adopt", "d6459c9d9b2158bda266957b42166675985fe060"),
            Map.entry("read-join", "75a1b37d906593b860c4b493b43492bf691a489a"),
            Map.entry("read-propose", "583442cb326f6c68fcd7fe93f11e5800363c7f0f"),
            Map.entry("record", "2d0e15c7abf958a948d8bbd3939e72f586801e00"),
            Map.entry("reenter", "3bc6ede7a88a2fac0ad3aeea6bc1740b3a58a5e4"),
            Map.entry("release", "608fbe2d7849bad47b5de3486d5d975a497c461b"),
            Map.entry("renew", "6ef2fc182e02fc300d6f377659d836dc15d439c1"),
            Map.entry("rights", "fb30000075e228118427977f0eea1dd5245051e7"),
            Map.entry("scan", "3c9c77d293e2a68e77649d32b5aa05a753c67fd8"),
            Map.entry("signal-look", "a2df1c7a7dce8a4680b5e455ab145e746ac671e3"),
            Map.entry("signal-send", "2c35ddf643f616b4bb16915de9282ca4a208db48"),
            Map.entry("sweep", "b3b26c3cad3523b822ded7e1530f090ff6be59fe"),
            Map.entry("take", "2150161081cdfae7c4719f09fe3348488e1c36f0"),
            Map.entry("tell", "ba71c864ed54f9b042d5454de7bafb88c81507d9"),
            Map.entry("term", "475176b2dfc3571733ffc7895887d08b0304c405"),
            Map.entry("transfer", "ccfa11ad0ca16f06d28e1127f35d20adac8e72d9"),
            Map.entry("turn-acquire", "04908db082ef29fa4aa1df95566828e657be6a94"),
            Map.entry("turn-give-up", "731c2bcd36259c0ecff6dae33fc789528e8648c1"),
            Map.entry("turn-propose", "b07352e29272ba303c215a188e7b02027ad3fa34"),
            Map.entry("turn-release", "b12b35b56721dfea5a8b6ec7caa0f7fcc1237c51"),
            Map.entry("turn-transfer", "26612ef1cdc1fef43d9768ebf3fe62c3c0ffbccf"));

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
        return Stream.of(Scripts.class, GuardedScripts.class, SharedScripts.class)
                .flatMap(place -> Arrays.stream(place.getDeclaredFields()))
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
