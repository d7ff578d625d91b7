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
            Map.entry("acquire", "2e62c365f7950b99dbc746395c70da7a9b302448"),
            Map.entry("adopt", "d0d875aec6312d02c0916146a01d3d3aea794087"),
            Map.entry("clients", "06ca32fbfe21322a68f5f6ebb0da5fbda6733c2e"),
            Map.entry("cond-await", "94bf8bc2afa340f4e5cedd69d4f24a7934224a1b"),
            Map.entry("cond-part", "e8f364364813e4a072ee5bd109457625d579c4fe"),
            Map.entry("cond-signal", "e2ccf73ea9e5b6bd0109e4bad6f1fe90ee6108c9"),
            Map.entry("confirm", "4aacce45ac7a2ea91fb4c3572d27ebbfacb6f190"),
            Map.entry("fenced-get", "ad27bfe94fd150c9b353861fe14da23d952c9ad7"),
            Map.entry("fenced-set", "02ae0297cd2316de9f969a768648e997418ee37d"),
            Map.entry("force", "5f44ddf29d5ed5ce8f21ef1bacc20027b152aab6"),
            Map.entry("guarded-acquire", "430b09e3397b4588a6b7cbac17e1a11a17863148"),
            Map.entry("guarded-cond-await", "f62f0fe37c29a3c9f2a873f9be974a01846c23d1"),
            Map.entry("guarded-keep", "6f4bfe15ea5baaa1682868cb07160f24d2561a65"),
            Map.entry("guarded-permit-join", "477bfadbd56e91f89488fae1aaabbfb17d3d7588"),
            Map.entry("guarded-permit-keep", "b4fa7a3cdc38cb9d8f667cdf803a84d2c1eb2709"),
            Map.entry("guarded-queue-join", "980a1d8a1befe3dec44f6eb44e677cc0254d9e03"),
            Map.entry("guarded-reenter", "b787d8512e28e144e5c0b1af09a020fe55f58b1b"),
            Map.entry("guarded-renew", "b36be68c94614976454ce3b2e8f24afbfeddd9f9"),
            Map.entry("guarded-transfer", "0d771c87f99ab397a41c3f8ee63f332656a0a8e8"),
            Map.entry("inspect", "5e7a8530c859d146f07612db068f2885ccdcae1b"),
            Map.entry("join", "079804c00c2a9d7c22be81642fab89f1503eed1d"),
            Map.entry("keep", "e49eadd509b6e3ad59259f88ba3a3ae1645e3636"),
            Map.entry("latch-count", "56a0a5dd81bc5ec322493317cf48134a56cce0a7"),
            Map.entry("latch-delete", "5d099322ea5978d46bc47131673759bd52a0bb41"),
            Map.entry("latch-look", "c6ace58d61b0b55bece08d9b73973592f2297d5d"),
            Map.entry("latch-set", "c7d55ce425bf965278f7d43874249ee65c725a56"),
            Map.entry("leave", "05d2f472a62c18ee95c56f3c79afc7e81c1dc8ff"),
            Map.entry("mark", "7fd379efc5f1ef473ef17ca71ed6e99c03e5d9ea"),
            Map.entry("marked", "9c3b271f2529897ab8b8500f35e11d78b653e386"),
            Map.entry("members", "a62c34b00ab519c47e1bcdd3a9460ca2bb06594c"),
            Map.entry("mint", "1c5b80ac57b1740c60175d8f53a23ccaf4f6ac6c"),
            Map.entry("observe", "d9fe9389b9e06814fc12230db7f4dc4a3f1ccdfd"),
            Map.entry("permit-join", "afce88047dffe2074f33b3f07a8edf9c7fec3ecc"),
            Map.entry("permit-keep", "b133ef83059a5f49398d2dddccd92a2d10fd5bd1"),
            Map.entry("permit-limit", "065fa21107a26033c2ff75efc6717b41e2543184"),
            Map.entry("permit-look", "b11ef81798fc2c69aa1bbd21394d8823f281b477"),
            Map.entry("permit-part", "896d2feca150d75855f223f44c89664394f9d8e9"),
            Map.entry("proclaim", "ec312720dec155ec9997adf9c6b30ac9b2d97d01"),
            Map.entry("propose", "e58f463fe85ba50288bdaed2229a0974186745bc"),
            Map.entry("queue-force", "c5d541c8fc33b23b433478c5cfef569719cc74d4"),
            Map.entry("queue-join", "e37f2fe496abf86e9d2b4b078f4767456873b533"),
            Map.entry("queue-part", "224df37acc9c27233af35398e22aa74b0bbe1804"),
            Map.entry("read-adopt", "fb284ceebfde7939afffd1f121ce50a74acf1c88"),
            Map.entry("read-join", "d853e88d51206c294af0acd0c5a524f5e25209f0"),
            Map.entry("read-propose", "6d79e56b1097d404fea22569f0c8dc43de2ebd32"),
            Map.entry("record", "2d0e15c7abf958a948d8bbd3939e72f586801e00"),
            Map.entry("reenter", "e74a1a393f88e5769eefb3ff2131389396289720"),
            Map.entry("release", "4f9b3d2aedbc6938c464abc62aab468305f9c4aa"),
            Map.entry("renew", "ce65580844e5de7be84ee24d42541b05c9f9c2b0"),
            Map.entry("rights", "fb30000075e228118427977f0eea1dd5245051e7"),
            Map.entry("scan", "3c9c77d293e2a68e77649d32b5aa05a753c67fd8"),
            Map.entry("signal-look", "fe2eb2305735d544306cccc210fdafeebb6d3a1d"),
            Map.entry("signal-send", "eee32e2d52f51442abc022ef6b9a3690bab5624b"),
            Map.entry("sweep", "b3b26c3cad3523b822ded7e1530f090ff6be59fe"),
            Map.entry("take", "7c71459b705a64ec60ffc459111fab5d026ee7b6"),
            Map.entry("tell", "78bbcb556285c5d59f0de30261249c330d699078"),
            Map.entry("term", "475176b2dfc3571733ffc7895887d08b0304c405"),
            Map.entry("transfer", "d240bb363384232b5bd5ff978d7d816308e78f33"),
            Map.entry("turn-acquire", "1dab4f7de2d2cde3ae32185da8103dc8a5073c28"),
            Map.entry("turn-give-up", "a7d9f61dde165a28d89789a4793d21fdcaec61e1"),
            Map.entry("turn-propose", "b10212c54eee4786e54e16c2afdbe2d0b1e0c22e"),
            Map.entry("turn-release", "48514f6bda57aab590ed9a5b4c25dbbca460dbf3"),
            Map.entry("turn-transfer", "677abc499b8f20e949ca33ec7b2601ad85e854c3"));

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
