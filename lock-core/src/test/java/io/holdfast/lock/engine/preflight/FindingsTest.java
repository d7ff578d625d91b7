package io.holdfast.lock.engine.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.Finding;
import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.key.Slots;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.spi.ServerReport.Clock;
import io.holdfast.lock.spi.ServerReport.Verdict;
import io.holdfast.lock.spi.Survey;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is a finding, and how bad, by what servers say. No server is there. */
class FindingsTest {

    private static final NamesInUse NAMES = NamesInUse.of(LockOptions.defaults());
    private static final Reliance ONE = new Reliance(NAMES, 30_000, false, false, 0, false, false);
    private static final Reliance SENTINEL = new Reliance(NAMES, 30_000, false, true, 0, false, false);
    private static final Reliance QUORUM = new Reliance(NAMES, 30_000, true, false, 0, false, false);
    private static final Reliance WAITING = new Reliance(NAMES, 30_000, false, false, 2, false, false);
    private static final Reliance GUARDED = new Reliance(NAMES, 30_000, false, true, 0, false, true);
    private static final Reliance ON_DISK = new Reliance(NAMES, 30_000, false, true, 1, true, false);
    private static final Map<String, String> NO_SETTINGS = Map.of("lua-time-limit", "5000");

    @Test
    void aServerThatIsSetUpWellHasNoFindings() {
        assertThat(judge(ONE, healthy())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "ONE, maxmemory_policy, allkeys-lru, EVICTION, WARNING",
        "ONE, redis_version, 6.0.16, VERSION_TOO_OLD, PROBLEM",
        "ONE, redis_version, 6.2.19, KNOWN_VULNERABILITY, WARNING",
        "ONE, redis_version, 7.0.15, KNOWN_VULNERABILITY, NOTE",
        "ONE, valkey_version, 8.1.3, KNOWN_VULNERABILITY, WARNING",
        "ONE, connected_slaves, 2, REPLICAS_NOT_WAITED_FOR, NOTE",
        "ONE, connected_clients, 9000, NEAR_MAX_CLIENTS, WARNING",
        "QUORUM, aof_enabled, 0, NO_PERSISTENCE, WARNING",
    })
    void eachSettingHasItsFinding(String place, String field, String value, Code code, Severity severity) {
        Reliance reliance = place.equals("ONE") ? ONE : QUORUM;
        Finding finding = only(judge(reliance, healthy(field, value)));
        assertThat(finding.code()).isEqualTo(code);
        assertThat(finding.severity()).isEqualTo(severity);
        assertThat(finding.node()).isEqualTo("h:6379");
        assertThat(finding.seen()).contains(value.equals("0") ? "append-only" : value);
    }

    @ParameterizedTest
    @CsvSource({
        "maxmemory_policy, noeviction",
        "maxmemory_policy, ''",
        "redis_version, 6.2.20",
        "redis_version, 8.4.0",
        "valkey_version, 9.0.0",
        "redis_version, unstable",
        "connected_clients, 8999",
        "connected_clients, many",
        "aof_enabled, ''",
    })
    void whatIsHarmlessOrUnknownIsNone(String field, String value) {
        assertThat(judge(ONE, healthy(field, value))).isEmpty();
    }

    /** Where replicas confirm, or a new primary pauses, a restart has no two holders. */
    @Test
    void aServerWhoseRestartForgetsIsAWarningUnlessOthersRemember() {
        ServerReport forgetful = healthy("aof_enabled", "0", "min_slaves_good_slaves", "1", "slave0", "state=online");
        for (Reliance reliance : List.of(ONE, SENTINEL)) {
            Finding finding = only(judge(reliance, forgetful));
            assertThat(finding.code()).isEqualTo(Code.NO_PERSISTENCE);
            assertThat(finding.severity()).isEqualTo(Severity.WARNING);
            assertThat(finding.consequence()).contains("two clients may hold one");
        }
        assertThat(judge(GUARDED, forgetful)).isEmpty();
        ServerReport replica = healthy("aof_enabled", "0", "min_slaves_good_slaves", "1", "role", "slave");
        assertThat(judge(SENTINEL, healthy("min_slaves_good_slaves", "1"), replica))
                .isEmpty();
    }

    @Test
    void evictionIsAProblemOnceThereIsALimit() {
        ServerReport report = healthy("maxmemory_policy", "volatile-ttl", "maxmemory", "1000000");
        assertThat(only(judge(ONE, report)).severity()).isEqualTo(Severity.PROBLEM);
    }

    @Test
    void behindSentinelAPrimaryShouldInsistOnReplicas() {
        List<Finding> without = judge(SENTINEL, healthy("connected_slaves", "2"), healthy("role", "slave"));
        assertThat(codes(without)).containsExactly(Code.REPLICAS_NOT_WAITED_FOR, Code.MIN_REPLICAS_UNSET);
        assertThat(without.get(1).node()).as("each of them may be the primary").isEqualTo("h:6379, h:6379");
        List<Finding> with = judge(SENTINEL, healthy("connected_slaves", "2", "min_slaves_good_slaves", "2"));
        assertThat(codes(with)).containsExactly(Code.REPLICAS_NOT_WAITED_FOR);
    }

    @Test
    void withTheFailoverGuardNoFindingSpeaksOfTwoHolders() {
        List<Finding> findings = judge(GUARDED, healthy("connected_slaves", "2"));
        assertThat(codes(findings)).containsExactly(Code.REPLICAS_NOT_WAITED_FOR, Code.MIN_REPLICAS_UNSET);
        assertThat(findings).allSatisfy(finding -> {
            assertThat(finding.consequence())
                    .contains("told")
                    .doesNotContain("two clients", "goes on granting locks while");
            assertThat(finding.remedy()).doesNotContain("fencing", "quorum");
        });
    }

    @Test
    void theFailoverGuardNeedsAReplicationIdAndNoRightHelps() {
        ServerReport without = healthy("master_replid", "", "min_slaves_good_slaves", "1");
        Finding finding = only(judge(GUARDED, without));
        assertThat(finding.code()).isEqualTo(Code.NO_REPLICATION_ID);
        assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(finding.remedy()).doesNotContain("+info").contains("failoverGuard");
        assertThat(judge(SENTINEL, without)).isEmpty();
    }

    /** WAITAOF counts the primary's own disk, and the answers of replicas that have one. */
    @ParameterizedTest
    @CsvSource({"master, PROBLEM, No lock is granted", "slave, WARNING, confirms no lock"})
    void whereGrantsWaitForDisksEachServerNeedsAnAppendOnlyFile(String role, Severity severity, String consequence) {
        String[] settings = {"role", role, "aof_enabled", "0", "min_slaves_good_slaves", "1", "slave0", "state=online"};
        Finding finding = judge(ON_DISK, healthy(settings)).stream()
                .filter(found -> found.code() == Code.NO_PERSISTENCE)
                .findFirst()
                .orElseThrow();
        assertThat(finding.severity()).isEqualTo(severity);
        assertThat(finding.consequence()).contains(consequence);
        assertThat(finding.remedy()).startsWith("Set appendonly yes");
        assertThat(judge(WAITING, healthy(settings))).noneMatch(found -> found.code() == Code.NO_PERSISTENCE);
    }

    @Test
    void aReplicaIsNotJudgedAsAPrimary() {
        String[] replica = {"role", "slave", "connected_slaves", "1", "min_slaves_good_slaves", "0"};
        assertThat(judge(SENTINEL, healthy(), healthy(replica)))
                .noneMatch(finding -> finding.code() == Code.REPLICAS_NOT_WAITED_FOR);
        assertThat(judge(WAITING, healthy(replica))).noneMatch(finding -> finding.code() == Code.TOO_FEW_REPLICAS);
    }

    @Test
    void theOptionIsWhatToDoAboutReplicasThatNoGrantWaitsFor() {
        assertThat(only(judge(ONE, healthy("connected_slaves", "1"))).remedy()).contains("waitForReplicas");
        Finding ofQuorum = only(judge(QUORUM, healthy("connected_slaves", "1")));
        assertThat(ofQuorum.remedy()).as("a quorum refuses the option").doesNotContain("waitForReplicas");
        assertThat(ofQuorum.consequence()).contains("votes");
    }

    @Test
    void aClientThatWaitsForReplicasNeedsThemInStep() {
        String inStep = "ip=h,port=2,state=online,offset=1,lag=0";
        String copying = "ip=h,port=3,state=wait_bgsave,offset=0,lag=0";
        Finding finding = only(judge(WAITING, healthy("connected_slaves", "2", "slave0", inStep, "slave1", copying)));
        assertThat(finding.code()).isEqualTo(Code.TOO_FEW_REPLICAS);
        assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(finding.seen()).isEqualTo("1 replica is in step, and each grant waits for 2");
        assertThat(judge(WAITING, healthy("connected_slaves", "2", "slave0", inStep, "slave1", inStep)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"wait, DENIED", "wait, ABSENT", "info, DENIED", "info, ABSENT"})
    void withoutWhatItsOptionNeedsAClientGrantsNothing(String name, Verdict verdict) {
        Map<String, Verdict> rights = allAllowed();
        rights.put(name, verdict);
        Map<String, String> info =
                name.equals("info") ? Map.of() : info("slave0", "state=online", "slave1", "state=online");
        Finding with = only(judge(WAITING, report("h:6379", info, NO_SETTINGS, rights, null)));
        assertThat(with.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(with.consequence()).contains("No lock is granted");
        assertThat(with.remedy()).contains("waitForReplicas");
        List<Finding> withoutTheOption = judge(ONE, report("h:6379", info, NO_SETTINGS, rights, null));
        assertThat(withoutTheOption)
                .allSatisfy(finding -> assertThat(finding.severity()).isNotEqualTo(Severity.PROBLEM));
    }

    @ParameterizedTest
    @CsvSource({
        "true, waitaof, waitForReplicasOnDisk",
        "true, info, waitForReplicasOnDisk",
        "false, info, failoverGuard"
    })
    void otherOptionsNeedOtherRights(boolean onDisk, String name, String option) {
        Reliance reliance = new Reliance(NAMES, 30_000, false, false, onDisk ? 1 : 0, onDisk, !onDisk);
        Map<String, Verdict> rights = allAllowed();
        Map<String, String> info = info("slave0", "state=online");
        rights.put("wait", onDisk ? Verdict.DENIED : Verdict.ALLOWED);
        assertThat(judge(reliance, report("h:6379", info, NO_SETTINGS, rights, null)))
                .isEmpty();
        for (Verdict verdict : List.of(Verdict.DENIED, Verdict.ABSENT)) {
            rights.put(name, verdict);
            Finding finding = only(judge(reliance, report("h:6379", info, NO_SETTINGS, rights, null)));
            assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
            assertThat(finding.remedy()).endsWith("or connect without the option " + option);
        }
    }

    @Test
    void shardedMessagesAreMissedInAClusterAlone() {
        Map<String, Verdict> rights = allAllowed();
        rights.put("spublish", Verdict.ABSENT);
        assertThat(judge(ONE, report("h:6379", info(), NO_SETTINGS, rights, null)))
                .isEmpty();
        Map<String, String> older = info("redis_mode", "cluster", "redis_version", "6.2.20");
        assertThat(only(judge(ONE, report("h:6379", older, NO_SETTINGS, rights, null)))
                        .code())
                .isEqualTo(Code.NO_SHARDED_MESSAGES);
        Map<String, String> cluster = info("redis_mode", "cluster");
        assertThat(only(judge(ONE, report("h:6379", cluster, NO_SETTINGS, rights, null)))
                        .code())
                .as("the client publishes by it there")
                .isEqualTo(Code.MISSING_COMMAND);
    }

    @ParameterizedTest
    @CsvSource({"0, true", "5000, false", "10000, false", "10001, true", "x, false"})
    void aScriptMustNotOutlastARenewal(String limit, boolean isFinding) {
        ServerReport report = report("h:6379", info(), Map.of("lua-time-limit", limit), allAllowed(), null);
        List<Code> expected = isFinding ? List.of(Code.SCRIPT_TIME_LIMIT) : List.of();
        assertThat(codes(judge(ONE, report))).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(
            value = Verdict.class,
            names = {"DENIED", "ABSENT"})
    void withoutScriptsThereIsOneProblemAndNoMore(Verdict verdict) {
        Map<String, Verdict> rights = new HashMap<>(Map.of("evalsha", verdict, "eval", verdict));
        Finding finding = only(judge(ONE, report("h:6379", info(), NO_SETTINGS, rights, null)));
        assertThat(finding.code()).isEqualTo(Code.SCRIPTS_REFUSED);
        assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
    }

    @Test
    void eachMissingRightNamesTheRuleToAdd() {
        for (Right right : Rights.ALL) {
            if (Set.of(Right.Use.IN_A_CLUSTER, Right.Use.JUDGED_TOGETHER, Right.Use.WITH_DISKS)
                    .contains(right.use())) {
                continue;
            }
            Map<String, Verdict> rights = allAllowed();
            rights.put(right.name(), Verdict.DENIED);
            String mode = right.use() == Right.Use.UNSHARDED ? "standalone" : "cluster";
            Map<String, String> info = info("connected_slaves", "1", "redis_mode", mode);
            List<Finding> findings = judge(ONE, report("h:6379", info, NO_SETTINGS, rights, null));
            assertThat(findings).as(right.name()).anySatisfy(finding -> {
                assertThat(finding.code()).isEqualTo(Code.MISSING_RIGHT);
                assertThat(finding.severity()).isEqualTo(right.severity());
                assertThat(finding.remedy()).contains("+" + right.name());
            });
        }
    }

    @Test
    void channelsAreNamedWithTheirCommands() {
        Map<String, Verdict> rights = allAllowed();
        rights.put("publish", Verdict.DENIED);
        assertThat(only(judge(ONE, report("h:6379", info(), NO_SETTINGS, rights, null)))
                        .remedy())
                .contains("+publish and &holdfast:*");
    }

    @ParameterizedTest
    @CsvSource({
        "client|kill, WARNING",
        "info, WARNING",
        "config|get, WARNING",
        "wait, WARNING",
        "cluster|slots, WARNING",
        "eval, NOTE"
    })
    void aCommandThatIsMissingSaysWhatFollows(String name, Severity severity) {
        Map<String, Verdict> rights = allAllowed();
        rights.put(name, Verdict.ABSENT);
        Map<String, String> info = info("connected_slaves", "1", "redis_mode", "cluster");
        Finding finding = judge(ONE, report("h:6379", info, NO_SETTINGS, rights, null)).stream()
                .filter(found -> found.code() == Code.MISSING_COMMAND)
                .findFirst()
                .orElseThrow();
        assertThat(finding.severity()).isEqualTo(severity);
        assertThat(finding.consequence()).isNotBlank();
    }

    @Test
    void aUserWithoutOurKeysHasOneProblem() {
        Map<String, Verdict> notEvenTheScript = Map.of("evalsha", Verdict.KEYS_DENIED);
        Finding finding = only(judge(ONE, report("h:6379", info(), NO_SETTINGS, notEvenTheScript, null)));
        assertThat(finding.code()).isEqualTo(Code.MISSING_RIGHT);
        assertThat(finding.remedy()).contains("~holdfast:*");
    }

    /** What its locks are called is not known there, but that each has a counter, a clock and a channel. */
    @Test
    void theRedissonSchemeHasKeysAndChannelsOfItsOwn() {
        LockOptions options = LockOptions.builder()
                .keyScheme(KeyScheme.REDISSON)
                .prefix("shop")
                .build();
        Reliance redisson = new Reliance(NamesInUse.of(options), 30_000, false, false, 0, false, false);
        Survey survey = Rights.survey(redisson);
        Survey.Names names = survey.names().apply(Survey.ANY_SLOT);
        assertThat(names.keys())
                .hasSize(2)
                .contains("redisson_lock_token:{shop:diagnosis}")
                .anyMatch(key -> key.startsWith("shop:token:{"));
        assertThat(names.keys().stream().map(key -> Slots.of(key.getBytes(StandardCharsets.UTF_8))))
                .containsOnly(Slots.of("shop:diagnosis".getBytes(StandardCharsets.UTF_8)));
        assertThat(names.channel()).isEqualTo("redisson_lock__channel:{shop:diagnosis}");
        Map<String, Verdict> noKeys = Map.of("evalsha", Verdict.KEYS_DENIED);
        Finding keys = only(judge(redisson, report("h:6379", info(), NO_SETTINGS, noKeys, null)));
        assertThat(keys.seen()).endsWith("keys redisson_lock_token:* and shop:*");
        assertThat(keys.remedy()).startsWith("Add ~redisson_lock_token:* ~shop:*, and patterns for the names");
        Map<String, Verdict> noChannel = allAllowed();
        noChannel.put("subscribe", Verdict.DENIED);
        assertThat(only(judge(redisson, report("h:6379", info(), NO_SETTINGS, noChannel, null)))
                        .remedy())
                .contains("+subscribe and &redisson_lock__channel:*");
    }

    @Test
    void rightsWithoutWhichTheSameFollowsAreOneFinding() {
        Map<String, Verdict> rights = allAllowed();
        List.of("client|id", "client|kill", "get", "hset").forEach(name -> rights.put(name, Verdict.DENIED));
        List<Finding> findings = judge(ONE, report("h:6379", info(), NO_SETTINGS, rights, null));
        assertThat(findings)
                .extracting(Finding::seen)
                .containsExactly("The user may not run HSET, GET", "The user may not run CLIENT ID, CLIENT KILL");
        assertThat(findings.get(0).remedy()).isEqualTo("Add +hset +get to the user's rules");
    }

    @Test
    void anAddressOfAReplicaOrASentinelIsAProblem() {
        Finding replica = only(judge(ONE, healthy("role", "slave")));
        assertThat(replica.code()).isEqualTo(Code.NOT_A_PRIMARY);
        assertThat(replica.severity()).isEqualTo(Severity.PROBLEM);
        Map<String, Verdict> noScripts = Map.of("evalsha", Verdict.ABSENT);
        Map<String, String> sentinel = Map.of("redis_mode", "sentinel");
        assertThat(only(judge(ONE, report("h:26379", sentinel, Map.of(), noScripts, null)))
                        .remedy())
                .contains("redis-sentinel://");
    }

    @Test
    void ofSeveralServersOneHasToBeThePrimary() {
        ServerReport replica = healthy("role", "slave", "min_slaves_good_slaves", "0");
        assertThat(only(judge(SENTINEL, replica, replica)).code()).isEqualTo(Code.NOT_A_PRIMARY);
        ServerReport silent =
                ServerReport.unreachable("h:6380", new Fault(Kind.UNREACHABLE, false, "h:6380", "Connection refused"));
        assertThat(codes(judge(SENTINEL, replica, silent))).containsExactly(Code.UNREACHABLE);
        ServerReport secretive = healthy("role", "");
        assertThat(judge(SENTINEL, replica, secretive)).isEmpty();
    }

    /** A minority of a quorum grants nothing, and neither do replicas alone, however healthy they are. */
    @Test
    void anUnreachableServerIsAProblemWhereNoOtherGrants() {
        ServerReport well = healthy("aof_enabled", "1", "min_slaves_good_slaves", "1");
        ServerReport replica = healthy("role", "slave", "min_slaves_good_slaves", "0");
        assertThat(judge(QUORUM, well, well, silent("h:1")))
                .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Severity.WARNING));
        for (List<Finding> findings : List.of(
                judge(QUORUM, well, silent("h:1"), silent("h:2")),
                judge(QUORUM, well, replica, silent("h:1")),
                judge(SENTINEL, replica, replica, silent("h:1")))) {
            assertThat(findings)
                    .filteredOn(finding -> finding.code() == Code.UNREACHABLE)
                    .allSatisfy(finding -> {
                        assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
                        assertThat(finding.consequence()).startsWith("No lock can be acquired");
                    });
        }
    }

    @ParameterizedTest
    @CsvSource({"NOAUTH, password", "WRONGPASS, password", "TLS, TLS", "NOT_REDIS, Name a server"})
    void whatToDoDependsOnWhyAServerRefuses(Kind kind, String remedy) {
        Fault fault = new Fault(kind, false, "h:1", "no");
        assertThat(only(judge(ONE, ServerReport.unreachable("h:1", fault))).remedy())
                .contains(remedy);
    }

    /** Valkey, from 8.0 on. */
    @Test
    void theModeHasTwoNames() {
        ServerReport sentinel = healthy("redis_mode", "", "server_mode", "sentinel");
        assertThat(only(judge(ONE, sentinel)).seen()).contains("is a Sentinel");
        Map<String, Verdict> rights = allAllowed();
        rights.put("spublish", Verdict.ABSENT);
        Map<String, String> cluster = info("redis_mode", "", "server_mode", "cluster", "redis_version", "6.2.20");
        assertThat(only(judge(ONE, report("h:6379", cluster, NO_SETTINGS, rights, null)))
                        .code())
                .isEqualTo(Code.NO_SHARDED_MESSAGES);
    }

    @Test
    void aQuorumIsNotToldToNameWhatItRefuses() {
        assertThat(judge(QUORUM, healthy("role", "slave"), healthy("redis_mode", "sentinel")))
                .hasSize(2)
                .allSatisfy(finding -> assertThat(finding.remedy()).doesNotContain("redis-"));
    }

    /** With short leases the server's default is too long, and is no remedy. */
    @Test
    void theTimeOfScriptsToSetIsThatOfTheLease() {
        Reliance shortLeases = new Reliance(NAMES, 9_000, false, false, 0, false, false);
        assertThat(only(judge(shortLeases, healthy())).remedy()).startsWith("Set lua-time-limit to 3 s or less");
    }

    @Test
    void whatTheServerCannotTellIsSaidOnce() {
        Map<String, Verdict> rights = allAllowed();
        rights.remove("subscribe");
        rights.put("unsubscribe", Verdict.UNKNOWN);
        Finding finding = only(judge(ONE, report("h:6379", info(), NO_SETTINGS, rights, null)));
        assertThat(finding.code()).isEqualTo(Code.UNKNOWN_RIGHTS);
        assertThat(finding.seen()).contains("+subscribe +unsubscribe");
    }

    @Test
    void aServerThatCannotBeReachedIsAFinding() {
        ServerReport silent = silent("h:6380");
        assertThat(only(judge(ONE, silent)).severity()).isEqualTo(Severity.PROBLEM);
        ServerReport well = healthy("aof_enabled", "1");
        Finding beside = only(judge(QUORUM, well, well, silent));
        assertThat(beside.severity()).isEqualTo(Severity.WARNING);
        assertThat(beside.node()).isEqualTo("h:6380");
        ServerReport refusing = ServerReport.unreachable("h:6380", new Fault(Kind.WRONGPASS, false, "h:6380", "wrong"));
        assertThat(only(judge(SENTINEL, healthy("role", "slave", "min_slaves_good_slaves", "0"), refusing))
                        .severity())
                .as("after a failover, no lock would work")
                .isEqualTo(Severity.PROBLEM);
    }

    /** The margin of a lease of 30 s is 302 ms. */
    @ParameterizedTest
    @CsvSource({
        "303, 0, true",
        "302, 0, false",
        "-303, 0, true",
        "500, 100, true",
        "500, 250, false",
    })
    void clocksDifferOnlyIfNoNetworkExplainsIt(long aheadMillis, long roundTripMillis, boolean isFinding) {
        long asked = TimeUnit.SECONDS.toNanos(7);
        long answered = asked + TimeUnit.MILLISECONDS.toNanos(roundTripMillis);
        long micros = TimeUnit.SECONDS.toMicros(1_000_000);
        ServerReport one = report("h:1", info(), NO_SETTINGS, allAllowed(), new Clock(micros, asked, answered));
        long ahead = micros + TimeUnit.MILLISECONDS.toMicros(aheadMillis);
        ServerReport other = report("h:2", info(), NO_SETTINGS, allAllowed(), new Clock(ahead, asked, answered));
        List<Code> expected = isFinding ? List.of(Code.CLOCKS_DIFFER) : List.of();
        assertThat(codes(judge(QUORUM, one, other))).isEqualTo(expected);
    }

    @Test
    void differentVersionsAreNoted() {
        Finding finding = only(judge(QUORUM, healthy(), healthy("redis_version", "7.4.6")));
        assertThat(finding.code()).isEqualTo(Code.VERSIONS_DIFFER);
        assertThat(finding.seen()).isEqualTo("Versions 7.2.11, 7.4.6");
    }

    /** It tells the version of Redis that it is compatible with as well, which is the same in all of its versions. */
    @Test
    void versionsOfValkeyAreItsOwn() {
        ServerReport older = healthy("redis_version", "7.2.4", "valkey_version", "8.0.6");
        ServerReport newer = healthy("redis_version", "7.2.4", "valkey_version", "8.1.4");
        assertThat(only(judge(QUORUM, older, newer)).seen()).isEqualTo("Versions Valkey 8.0.6, Valkey 8.1.4");
        assertThat(judge(QUORUM, newer, newer)).isEmpty();
        assertThat(only(judge(QUORUM, newer, healthy("redis_version", "7.4.6"))).seen())
                .isEqualTo("Versions 7.4.6, Valkey 8.1.4");
    }

    @Test
    void theWorstComesFirst() {
        List<Finding> findings =
                judge(SENTINEL, healthy("connected_slaves", "1", "redis_version", "6.0.0", "redis_mode", "cluster"));
        assertThat(findings).isSortedAccordingTo((one, other) -> one.severity().compareTo(other.severity()));
    }

    @Test
    void aTransportThatCannotAskIsSaidToBeOne() {
        assertThat(only(judge(ONE)).code()).isEqualTo(Code.NOT_ASKED);
    }

    @Test
    void wordsOfServersAreMadePrintable() {
        Finding finding = only(judge(ONE, healthy("maxmemory_policy", "a\nb\u001b[31m")));
        assertThat(finding.seen()).doesNotContain("\n", "\u001b").contains("a\\u000ab");
        assertThat(finding.toString()).doesNotContain("\n", "\u001b").startsWith("WARNING EVICTION at h:6379: ");
    }

    private static List<Finding> judge(Reliance reliance, ServerReport... reports) {
        return Findings.of(reliance, "h", List.of(reports));
    }

    private static ServerReport silent(String node) {
        return ServerReport.unreachable(node, new Fault(Kind.UNREACHABLE, false, node, "Connection refused"));
    }

    private static Finding only(List<Finding> findings) {
        assertThat(findings).hasSize(1);
        return findings.get(0);
    }

    private static List<Code> codes(List<Finding> findings) {
        return findings.stream().map(Finding::code).toList();
    }

    private static ServerReport healthy(String... changes) {
        return report("h:6379", info(changes), NO_SETTINGS, allAllowed(), null);
    }

    private static ServerReport report(
            String node,
            Map<String, String> info,
            Map<String, String> settings,
            Map<String, Verdict> rights,
            @Nullable Clock clock) {
        return new ServerReport(node, null, info, settings, rights, clock, null);
    }

    private static Map<String, String> info(String... changes) {
        Map<String, String> info = new HashMap<>(Map.of(
                "redis_version", "7.2.11",
                "role", "master",
                "master_replid", "8e42",
                "connected_slaves", "0",
                "maxmemory_policy", "noeviction",
                "maxmemory", "0",
                "aof_enabled", "1",
                "connected_clients", "3",
                "maxclients", "10000",
                "redis_mode", "standalone"));
        for (int i = 0; i < changes.length; i += 2) {
            info.put(changes[i], changes[i + 1]);
        }
        return info;
    }

    private static Map<String, Verdict> allAllowed() {
        Map<String, Verdict> rights = new HashMap<>();
        Rights.ALL.forEach(right -> rights.put(right.name(), Verdict.ALLOWED));
        rights.put("evalsha", Verdict.ALLOWED);
        return rights;
    }
}
