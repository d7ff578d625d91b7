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
            Map.entry("acquire", "1b93e3edf709f3e41b3eb5a8a9aae848a019a7a4"),
            Map.entry("adopt", "3a65ecc17674c24dcdcce7ac98ba7a57b3f62dd0"),
            Map.entry("clients", "dd19b07e88cca5a59253eb1d25635a46ee19e940"),
            Map.entry("cond-await", "b09afccdcae205a88dfadd51ca52ca90c166fb33"),
            Map.entry("cond-part", "bde0b157cb0aab471bf570b4ba0cc839ce04b6cf"),
            Map.entry("cond-signal", "20bddfc47734b7e116352bfb3d39aa4b303002e7"),
            Map.entry("confirm", "ecadd8256e1279587bf724d977a653d3c0eaeb2e"),
            Map.entry("fenced-get", "7718f140d6a11f58477065f25677a76ea30a68a6"),
            Map.entry("fenced-set", "e17e72aeff7663c465b07d174cd032d3a7f7621f"),
            Map.entry("force", "d0ec7a21c15eb296680781bcbdd4b9dd0bf8815f"),
            Map.entry("guarded-acquire", "f837793dbcdcd0a0ebd00243120feb3fb0dbf171"),
            Map.entry("guarded-cond-await", "105b5e5050e53d1d5f1201f2c057c0bdd2685eca"),
            Map.entry("guarded-keep", "642ce4fb43710c0ffe1e998e54487d6cb038b67a"),
            Map.entry("guarded-permit-join", "130e618f8fdaa9732fbb6bce5484e6ae79f08246"),
            Map.entry("guarded-permit-keep", "9980b071559b1cb628c0fead5f209abcd0fed9c7"),
            Map.entry("guarded-queue-join", "27366a5e7d2ee2c88520533087038bb86e24c75b"),
            Map.entry("guarded-reenter", "b619efe14bc88abac497eec28e83b8eaa9b910a6"),
            Map.entry("guarded-renew", "a61edd44bde4df8dca1a74e1b491dd8b69261bb0"),
            Map.entry("guarded-transfer", "ca9ab270429cb735024e35697a82095249f33a77"),
            Map.entry("inspect", "a161c4fa845615d5ca1b4cf0b8da8ba760964fc2"),
            Map.entry("join", "9eb2492b28132d36ea7b03cdec1e410ca4e58ee1"),
            Map.entry("keep", "03da580ceeb40a43e629b2a5cf7377887fbfae03"),
            Map.entry("latch-count", "b887236cdd22330cfea6997f29920e94258669fa"),
            Map.entry("latch-delete", "e25ca3624e509ffd949ef486e6871360eaa4e63e"),
            Map.entry("latch-look", "f1101adede8f37a7b752670d532d08768d3caf96"),
            Map.entry("latch-set", "12a44cdc47bb070434b5acc829b4b11026b7509e"),
            Map.entry("leave", "99435d5942c4d5b5666de22bdb57a24635c0b10d"),
            Map.entry("mark", "ed3f7456e42e5d190b5792f0b63bdbfcaaa6f1f7"),
            Map.entry("marked", "10e1e518f09be24006e03dc52cd48c8beed4aaed"),
            Map.entry("members", "ee21348d68a280cc7f393e25b3473c720f1cab1b"),
            Map.entry("mint", "b181919e8409017c5d3e508b7aca0ebd80a0816e"),
            Map.entry("observe", "20d911baed3432c542df370c02bc4b2f2271ddc2"),
            Map.entry("permit-join", "c1c02dc9c5c8e16a221aab313ec4f1ba7fcea2c1"),
            Map.entry("permit-keep", "cd751e3fd578c7924cbf4a80e114977ffd48f1b0"),
            Map.entry("permit-limit", "5469357397cf965e196773cf520b934da1f2f146"),
            Map.entry("permit-look", "b11ef81798fc2c69aa1bbd21394d8823f281b477"),
            Map.entry("permit-part", "2485380c43e9e0045afafa9cd5582269b6b6573b"),
            Map.entry("proclaim", "81a33eef7bbc4c90d4cafe3f4ccf702f4f9e60f6"),
            Map.entry("propose", "96b9ce1f2dcec535a9d6118689c02c3eede5e962"),
            Map.entry("queue-force", "46be7930d5c6917effe9dc965aa182bd32e903e1"),
            Map.entry("queue-join", "b35a9c65d72721673ef2c8981f06bb12ccefda56"),
            Map.entry("queue-part", "9819e069c7ecf74ca444b40a1978a36ad637a78c"),
            Map.entry("read-adopt", "dc9251cde7c37adb7a6c7678495bb5749b9d16fd"),
            Map.entry("read-join", "c08dcbeadfed051c5d020ebad973012131525b90"),
            Map.entry("read-propose", "4067f7d9b2401b8f4027629ef14f093de7625354"),
            Map.entry("record", "6807c15475318635ebb79a82de8cbf79585c9613"),
            Map.entry("reenter", "6b00a1b71c153ffc0039d3fc33c01f7a6c8cf19a"),
            Map.entry("release", "7c762d1c790e34772242034a523757eacdef13ca"),
            Map.entry("renew", "4a5c7b4e1c186ea10ce4616e2958efa8a0d8d2ef"),
            Map.entry("rights", "fb30000075e228118427977f0eea1dd5245051e7"),
            Map.entry("scan", "3c9c77d293e2a68e77649d32b5aa05a753c67fd8"),
            Map.entry("signal-look", "030040522f605a7e9288c161346b0f1f8ddd69d2"),
            Map.entry("signal-send", "e22e66648b7e2b98eda82116c8bce30e5ccc8c8d"),
            Map.entry("sweep", "b3b26c3cad3523b822ded7e1530f090ff6be59fe"),
            Map.entry("take", "73999b37fe066263621a7e3060bfcf7690fee160"),
            Map.entry("tell", "0c9b9e612004a0334dc3d39e9159db78c6399e0e"),
            Map.entry("term", "68573d731ab5d9f82a5cca6aa8883e77e993b3dd"),
            Map.entry("transfer", "8a4b1f15b9a556c239cc457adfd72a120efd9f8d"),
            Map.entry("turn-acquire", "9f84748e928a4ea4d33d6e814eb1c01e30e7d3f4"),
            Map.entry("turn-give-up", "54aec2dc1cce691c159d3a595827b5f4e293ad5e"),
            Map.entry("turn-propose", "3de1f24070020d9756bed885ea3ce702399324ab"),
            Map.entry("turn-release", "2a65800cd0916d6b7568994a253d5ccdf8295699"),
            Map.entry("turn-transfer", "96bb61fcc5dc4534e5d8410d0e005947b4518842"));

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
