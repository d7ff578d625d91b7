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
            Map.entry("acquire", "6d8ac78d5c85667a9d85434626d1c4c0d64e0bf7"),
            Map.entry("adopt", "7f229789aecfe4f9ae2ba5df071c2cf8bd0f74fd"),
            Map.entry("clients", "dd19b07e88cca5a59253eb1d25635a46ee19e940"),
            Map.entry("cond-await", "2b882b48befdf848dc0be8cd917627fd3d5b91a6"),
            Map.entry("cond-part", "f489c2d0c389d628240207f41824631e53d905b6"),
            Map.entry("cond-signal", "85ab77d704ad50da4ee0b67c8d843e19bccf35ca"),
            Map.entry("confirm", "8ad099c92798178c52d911552ed8ae8021fcdf56"),
            Map.entry("fenced-get", "5ae579499c7c10ff7da3c85669bf715b6cba5858"),
            Map.entry("fenced-set", "d0b035416af7cd3752dd856f3b4e6a27ad0a745a"),
            Map.entry("force", "5b184e8c9aee5616adb1b3542205110ac0ea211f"),
            Map.entry("guarded-acquire", "e413959bbe1b34f3049e73e3dce3eaebab49e462"),
            Map.entry("guarded-cond-await", "ba0bdfce47138f212efed97b90de3437cb55f6ae"),
            Map.entry("guarded-keep", "3f06f19d11eeae7acb325f52485340c227da369a"),
            Map.entry("guarded-permit-join", "a53b2d112cc6b2b1e4be78cd4c9ef747fc99196b"),
            Map.entry("guarded-permit-keep", "c37331c8284ba5c92bd130f1fa48a2977806950b"),
            Map.entry("guarded-queue-join", "fdbddf9e0b80e28799683df21e7384aea09fd847"),
            Map.entry("guarded-reenter", "afd75616a08b9ab0472b18519e5c1db6fc297af8"),
            Map.entry("guarded-renew", "5b3e07e62b55af7f59a86d047155f582d1b2076d"),
            Map.entry("guarded-transfer", "7445229576f3f6e644278dbade3b0b5c563772a9"),
            Map.entry("inspect", "9801ece6872f056ad848f5cf087518781fac24e8"),
            Map.entry("join", "9b58d21671466d4aeaaa749925b46647aa1046de"),
            Map.entry("keep", "fb967bfbffeefdb44482d5c986771831f95b6e0f"),
            Map.entry("latch-count", "4555baa16c6d7a2568d3ec4f0baabb3216de043f"),
            Map.entry("latch-delete", "84513e11e8a7c33541c4f93a82776c7ff0c2d3a5"),
            Map.entry("latch-look", "4558ae17a60d3d815d0c25703225dfa0d51a85ba"),
            Map.entry("latch-set", "4c05b5e495b3707a1f5fe4e755cbe22727238d73"),
            Map.entry("leave", "db5958f64db09103c6a3c933f10381acf1258dc5"),
            Map.entry("looks", "5d2b0fd7a9dd9ada4d0ca35fca0727f7c114c6d7"),
            Map.entry("mark", "35b4a59f7762b91fc5cedfc444620d3139f8a1ed"),
            Map.entry("marked", "ccf6835261f0b38dbd8399fbca4d56e59ef9ba11"),
            Map.entry("members", "ee21348d68a280cc7f393e25b3473c720f1cab1b"),
            Map.entry("mint", "8e1364a0397cdc4aa785f2c6dd85a16925c24692"),
            Map.entry("observe", "4494c123da2c774253ffc24fc9527b3bb79b8381"),
            Map.entry("permit-join", "0a061d225154130b075c2bd5b800d994df831820"),
            Map.entry("permit-keep", "7ef84455f52aec19464f803d40b21274a5bc381d"),
            Map.entry("permit-limit", "a359ac339695ccb4b7047d1391e5ba8dac24f29e"),
            Map.entry("permit-look", "b11ef81798fc2c69aa1bbd21394d8823f281b477"),
            Map.entry("permit-part", "0353f9e3319c78c6862d27ad86956b4b6fa596e6"),
            Map.entry("proclaim", "47f8cb65406b02fa2f0fa3adca78752cd99c93fa"),
            Map.entry("propose", "d9dd9b6d2e0a176622e520494c0b6d632e0fd1c0"),
            Map.entry("queue-force", "3e02fa8a921c8fcbeec8be1010adaf6e7e83f6af"),
            Map.entry("queue-join", "0b9704587b9311988d0ae3d9c5fcc7c704394214"),
            Map.entry("queue-part", "34ce7e565d6495e69cbc19fbfc7a80d6007676e6"),
            Map.entry("read-adopt", "e584d075488bde496f326ace28c6b55a2c65c848"),
            Map.entry("read-join", "90f9c834fef3368b96e0a2097120501f16c4f271"),
            Map.entry("read-propose", "c7f1bb02f3c73ec6f823e546da29e1a76e0fe8af"),
            Map.entry("record", "6807c15475318635ebb79a82de8cbf79585c9613"),
            Map.entry("reenter", "6032949502669dcefa577fd4d65f802320cf5e36"),
            Map.entry("release", "b8c3dbb0ad390ec610953c1099d639944d653b9e"),
            Map.entry("renew", "c358dd5c08363413ec3a56745b00dbc2cced6e04"),
            Map.entry("rights", "fb30000075e228118427977f0eea1dd5245051e7"),
            Map.entry("scan", "a952962b8d86a02c59ae7e28622fdb2f2164c7ef"),
            Map.entry("signal-look", "57f5175fe64abf6959ba4d51b27667712701b692"),
            Map.entry("signal-send", "e7cf3b1b471461874b014a7ff77f3f102c01aac7"),
            Map.entry("sweep", "b3b26c3cad3523b822ded7e1530f090ff6be59fe"),
            Map.entry("take", "9ed5180e6db1a9da6a4d4fe0de1beeccd8d90032"),
            Map.entry("tell", "6bce373f6f94ef75e3edd3a1e0c4b353918fc5b6"),
            Map.entry("term", "8eeea767dec5debdc3d50c4323dd0734c2e47332"),
            Map.entry("transfer", "617131c1987dad3a0aa0f01502a73d665b47c0f7"),
            Map.entry("turn-acquire", "17a419c3514680ac312ee89e6b2a61101329b116"),
            Map.entry("turn-give-up", "edb8a87e5cc72ddbfbdc0cec1932dc27bea48a29"),
            Map.entry("turn-propose", "5bb1740700ad1917cef8bbea260eea2e14e7f239"),
            Map.entry("turn-release", "ea33dd2d937fe6df9cc33197c2c7bc0255e56c6f"),
            Map.entry("turn-transfer", "856de7a1dfa4505359ae79fd8178b6c9668b746a"));

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
