package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.simulation.Climate.Form;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a run is made of. */
enum Workload {
    /** Three clients, one server, two locks, 100 operations, 10 faults, 60 simulated seconds. */
    STANDARD(1, 10, KeyScheme.HOLDFAST),
    /** The same without faults: everything is to go smoothly, and soon. */
    CALM(1, 0, KeyScheme.HOLDFAST),
    /** The standard workload in the key scheme that is shared with Redisson. */
    REDISSON(1, 10, KeyScheme.REDISSON),
    /** The standard workload over three servers. */
    REDLOCK(3, 10, KeyScheme.HOLDFAST),
    /** The standard workload over five servers. */
    REDLOCK5(5, 14, KeyScheme.HOLDFAST),
    /** One lock, far away, that everybody wants; nothing goes wrong, but much is on its way at once. */
    FAR(
            1,
            0,
            KeyScheme.HOLDFAST,
            Climate.USUAL.withFarServers().withLeasesUpTo(10_000).withOneLock()),
    /** One lock that clients nearby keep busy, and that a client far away wants as well; clients die, and come back. */
    ONE_FAR(
            1,
            3,
            KeyScheme.HOLDFAST,
            Climate.USUAL
                    .withOneFarClient()
                    .withBriskOwners()
                    .withLeasesUpTo(10_000)
                    .withOneLock()
                    .withOnly(FaultKind.CRASHED_CLIENT, FaultKind.CLOSED_CLIENT)),
    /** No message ever arrives, and leases are long: whoever waits has to look. */
    UNHEARD(1, 0, KeyScheme.HOLDFAST, Climate.USUAL.withoutMessages().withLeasesUpTo(30_000)),
    /** Connections to one far lock stall and break again and again, and leases are long. */
    BREAKS(
            1,
            14,
            KeyScheme.HOLDFAST,
            Climate.USUAL
                    .withFarServers()
                    .withLeasesUpTo(20_000)
                    .withOneLock()
                    .withOnly(
                            FaultKind.CUT_CONNECTION,
                            FaultKind.STALLED_REQUESTS,
                            FaultKind.STALLED_ANSWERS,
                            FaultKind.STALL_AND_CUT,
                            FaultKind.PARTITION,
                            FaultKind.CUT_MESSAGES,
                            FaultKind.CLOSED_CLIENT)),
    /** The server answers with errors, in many short spells, and leases are long. */
    REFUSALS(
            1,
            30,
            KeyScheme.HOLDFAST,
            Climate.USUAL
                    .withLeasesUpTo(15_000)
                    .withOnly(
                            FaultKind.BUSY_SERVER,
                            FaultKind.FULL_SERVER,
                            FaultKind.DEMOTED_SERVER,
                            FaultKind.FLUSHED_SCRIPTS,
                            FaultKind.RESTART_WITH_DATA)),
    /** The server forgets one lock that everybody wants, from time to time. */
    FORGETFUL(
            1,
            6,
            KeyScheme.HOLDFAST,
            Climate.USUAL
                    .withFarServers()
                    .withLeasesUpTo(2_500)
                    .withOneLock()
                    .withOnly(FaultKind.EVICTION, FaultKind.RESTART_WITHOUT_DATA)),
    /** Connections to three far servers stall and break again and again, and leases are long. */
    REDLOCK_BREAKS(
            3,
            14,
            KeyScheme.HOLDFAST,
            Climate.USUAL
                    .withLeasesUpTo(20_000)
                    .withOneLock()
                    .withOnly(
                            FaultKind.CUT_CONNECTION,
                            FaultKind.STALLED_REQUESTS,
                            FaultKind.STALLED_ANSWERS,
                            FaultKind.STALL_AND_CUT,
                            FaultKind.PARTITION,
                            FaultKind.SLOW_SERVER,
                            FaultKind.FLUSHED_SCRIPTS)),
    /** One of three servers forgets, again and again. */
    REDLOCK_FORGETFUL(3, 8, KeyScheme.HOLDFAST, Climate.USUAL.withOneLock().withOnly(FaultKind.RESTART_WITHOUT_DATA)),
    /** A majority of three servers is restarted, with and without what it knew, while clients come and go. */
    REDLOCK_RESTARTS(
            3,
            20,
            KeyScheme.HOLDFAST,
            Climate.USUAL
                    .withOneLock()
                    .withOneServerThatStays()
                    .withOnly(
                            FaultKind.RESTART_WITH_DATA,
                            FaultKind.RESTART_WITHOUT_DATA,
                            FaultKind.RESTART_FROM_SNAPSHOT,
                            FaultKind.PARTITION,
                            FaultKind.CRASHED_CLIENT,
                            FaultKind.CLOSED_CLIENT)),
    /** Three servers are restarted one by one, with what they knew or without, as far apart as is documented. */
    REDLOCK_ROLLING(
            3,
            0,
            KeyScheme.HOLDFAST,
            Climate.USUAL.withRollingRestarts().withOnly(FaultKind.RESTART_WITH_DATA, FaultKind.RESTART_WITHOUT_DATA)),
    /** The owners of one client pass one lock on, and it is then that the server runs full, forgets or keeps silent. */
    HAND_OVERS(
            1,
            8,
            KeyScheme.HOLDFAST,
            Climate.USUAL
                    .withClients(1)
                    .withBriskOwners()
                    .withLeasesUpTo(15_000)
                    .withOutagesUpTo(3_000)
                    .withOneLock()
                    .withFaultsThatWaitFor("transfer")
                    .withOnly(
                            FaultKind.FULL_SERVER,
                            FaultKind.EVICTION,
                            FaultKind.STALLED_ANSWERS,
                            FaultKind.CUT_CONNECTION)),
    /** Connections break with requests for one lock in them, and no fence keeps those from running late. */
    STRAGGLERS(
            1,
            16,
            KeyScheme.HOLDFAST,
            Climate.USUAL
                    .withClients(2)
                    .withoutFence()
                    .withClingingThreads()
                    .withLeasesUpTo(10_000)
                    .withOneLock()
                    .withFaultsThatWaitFor("acquire")
                    .withOnly(FaultKind.CUT_CONNECTION)),
    /** Clients stand still, often with answers on their way to them, and leases are short. */
    PAUSES(1, 24, KeyScheme.HOLDFAST, Climate.USUAL.withLeasesUpTo(1_500).withOnly(FaultKind.PAUSED_CLIENT)),
    /** Locks are freed by force, and it is then that the connections of the others break. */
    FORCE(
            1,
            12,
            KeyScheme.HOLDFAST,
            Climate.USUAL
                    .withClients(2)
                    .withForce()
                    .withLeasesUpTo(15_000)
                    .withOutagesUpTo(200)
                    .withOneLock()
                    .withFaultsThatWaitFor("force")
                    .withOnly(FaultKind.STALL_AND_CUT)),
    /** Locks with long leases are freed by force, and those who come then wait for a moment only. */
    FORCE_AND_HASTE(
            1,
            0,
            KeyScheme.HOLDFAST,
            Climate.USUAL
                    .withClients(2)
                    .withForce()
                    .withShortWaits()
                    .withLeasesUpTo(30_000)
                    .withOneLock()),
    /** The server is dead for seconds, and those who come then wait for a moment only. */
    DEATH_AND_HASTE(
            1,
            8,
            KeyScheme.HOLDFAST,
            Climate.USUAL
                    .withShortWaits()
                    .withLeasesUpTo(15_000)
                    .withOneLock()
                    .withOutagesUpTo(9_000)
                    .withOnly(FaultKind.STOPPED_SERVER, FaultKind.PARTITION, FaultKind.STALLED_ANSWERS)),
    /** Users have chosen executors that run tasks on the thread that brings them, late or not at all. */
    CALLBACKS(1, 10, KeyScheme.HOLDFAST, Climate.USUAL.withChosenExecutors()),
    /** Far servers, and clients that ask them for more than their short queues can take. */
    CROWDS(
            1,
            0,
            KeyScheme.HOLDFAST,
            Climate.USUAL.withClients(2).withFarServers().withCrowds()),
    /** Each grant has to be confirmed by replicas, which take their time, and sometimes do not. */
    REPLICAS(1, 10, KeyScheme.HOLDFAST, Climate.USUAL.withReplicas()),
    /** Clients write down who they are, beside their locks, and are closed, crash and come back. */
    RECORDS(1, 12, KeyScheme.HOLDFAST, Climate.USUAL.withRecords()),
    /** The same at three servers. */
    REDLOCK_RECORDS(3, 14, KeyScheme.HOLDFAST, Climate.USUAL.withRecords()),
    /** Fair locks: clients stand in a queue at the server. */
    FAIR(1, 10, KeyScheme.HOLDFAST, Climate.USUAL.withForms(Form.FAIR)),
    /** Fair locks without faults: the lock goes to those who came first. */
    FAIR_CALM(1, 0, KeyScheme.HOLDFAST, Climate.USUAL.withForms(Form.FAIR)),
    /** One fair lock that is far away, and that everybody wants. */
    FAIR_FAR(
            1,
            0,
            KeyScheme.HOLDFAST,
            Climate.USUAL
                    .withForms(Form.FAIR)
                    .withFarServers()
                    .withLeasesUpTo(10_000)
                    .withOneLock()),
    /** One fair lock, whose clients crash, stand still and are closed while they stand in its queue. */
    FAIR_DEATHS(
            1,
            10,
            KeyScheme.HOLDFAST,
            Climate.USUAL
                    .withForms(Form.FAIR)
                    .withOneLock()
                    .withOnly(FaultKind.CRASHED_CLIENT, FaultKind.PAUSED_CLIENT, FaultKind.CLOSED_CLIENT)),
    /** One fair lock, whose messages are lost, doubled and out of order. */
    FAIR_UNHEARD(
            1,
            14,
            KeyScheme.HOLDFAST,
            Climate.USUAL
                    .withForms(Form.FAIR)
                    .withOneLock()
                    .withOnly(FaultKind.CUT_MESSAGES, FaultKind.MESSY_MESSAGES, FaultKind.FLUSHED_SCRIPTS)),
    /** The same locks, taken fairly by some clients, plainly by others, and as write locks. */
    FORMS(1, 10, KeyScheme.HOLDFAST, Climate.USUAL.withForms(Form.FAIR, Form.PLAIN, Form.WRITE)),
    /** The same without faults. */
    FORMS_CALM(1, 0, KeyScheme.HOLDFAST, Climate.USUAL.withForms(Form.FAIR, Form.PLAIN, Form.WRITE)),
    /** Plain owners want a lock of which fair ones keep a queue, and nothing goes wrong: {@link BesideOwners}. */
    BESIDE_CALM(Scene.BESIDE, 1, 0, Climate.USUAL.withOneLock()),
    /** Readers, writers, fair and plain owners want the same locks: {@link FamilyRun}. */
    FAMILY(
            Scene.FAMILY,
            1,
            8,
            Climate.USUAL.withOnly(
                    FaultKind.SLOW_NETWORK,
                    FaultKind.STALLED_REQUESTS,
                    FaultKind.STALLED_ANSWERS,
                    FaultKind.CUT_CONNECTION,
                    FaultKind.PARTITION,
                    FaultKind.CUT_MESSAGES,
                    FaultKind.MESSY_MESSAGES,
                    FaultKind.STOPPED_SERVER,
                    FaultKind.FULL_SERVER,
                    FaultKind.FLUSHED_SCRIPTS,
                    FaultKind.RESTART_WITH_DATA,
                    FaultKind.PAUSED_CLIENT,
                    FaultKind.CRASHED_CLIENT)),
    /** The same without faults, and one lock. */
    FAMILY_CALM(Scene.FAMILY, 1, 0, Climate.USUAL.withOneLock()),
    /** The same, where the server forgets its data. */
    FAMILY_FORGETFUL(
            Scene.FAMILY,
            1,
            5,
            Climate.USUAL.withOneLock().withOnly(FaultKind.RESTART_WITHOUT_DATA, FaultKind.CUT_MESSAGES)),
    /** Owners take several permits of the same semaphores, while others change the limits: {@link PermitOwners}. */
    PERMITS(Scene.PERMITS, 1, 8, FAMILY.climate),
    /** The same without faults, and one semaphore. */
    PERMITS_CALM(Scene.PERMITS, 1, 0, Climate.USUAL.withOneLock()),
    /** The same, where the server forgets its data. */
    PERMITS_FORGETFUL(Scene.PERMITS, 1, 5, FAMILY_FORGETFUL.climate),
    /** Owners await conditions of fair locks, and others signal them: {@link ConditionOwners}. */
    CONDITIONS(Scene.CONDITIONS, 1, 8, FAMILY.climate),
    /** The same without faults, and one lock. */
    CONDITIONS_CALM(Scene.CONDITIONS, 1, 0, Climate.USUAL.withOneLock()),
    /** The same, where the server loses data and its clock jumps, and locks are freed by force. */
    CONDITIONS_FORGETFUL(
            Scene.CONDITIONS,
            1,
            6,
            Climate.USUAL
                    .withForce()
                    .withOneLock()
                    .withOnly(
                            FaultKind.RESTART_WITHOUT_DATA,
                            FaultKind.EVICTION,
                            FaultKind.CLOCK_STEP_AHEAD,
                            FaultKind.CLOCK_STEP_BACK,
                            FaultKind.CUT_MESSAGES,
                            FaultKind.CLOSED_CLIENT)),
    /** Candidates campaign, lead and resign, and all clients observe: {@link ElectionOwners}. */
    ELECTIONS(Scene.ELECTIONS, 1, 8, FAMILY.climate),
    /** The same without faults, and one election. */
    ELECTIONS_CALM(Scene.ELECTIONS, 1, 0, Climate.USUAL.withOneLock()),
    /** The same, where the server loses data and its clock jumps, and leaders are ousted by force. */
    ELECTIONS_FORGETFUL(
            Scene.ELECTIONS,
            1,
            6,
            Climate.USUAL
                    .withForce()
                    .withOneLock()
                    .withOnly(
                            FaultKind.RESTART_WITHOUT_DATA,
                            FaultKind.RESTART_FROM_SNAPSHOT,
                            FaultKind.EVICTION,
                            FaultKind.PROMOTION,
                            FaultKind.CLOCK_STEP_AHEAD,
                            FaultKind.CLOCK_STEP_BACK,
                            FaultKind.CUT_MESSAGES,
                            FaultKind.CLOSED_CLIENT)),
    /** Callers set latches, count them down and await them, and send and await signals: {@link LatchOwners}. */
    LATCHES(Scene.LATCHES, 1, 8, FAMILY.climate),
    /** The same without faults, and one of each. */
    LATCHES_CALM(Scene.LATCHES, 1, 0, Climate.USUAL.withOneLock()),
    /** The same, where the server forgets its data, connections break and clients are closed. */
    LATCHES_FORGETFUL(
            Scene.LATCHES,
            1,
            6,
            Climate.USUAL
                    .withOneLock()
                    .withOnly(
                            FaultKind.RESTART_WITHOUT_DATA,
                            FaultKind.CUT_CONNECTION,
                            FaultKind.CUT_MESSAGES,
                            FaultKind.CLOSED_CLIENT)),
    /** The same, where connections break with counts in them, and no fence keeps those from running late. */
    LATCHES_BREAKS(
            Scene.LATCHES,
            1,
            16,
            Climate.USUAL
                    .withoutFence()
                    .withOneLock()
                    .withFaultsThatWaitFor("latch-count")
                    .withOnly(FaultKind.CUT_CONNECTION, FaultKind.STALL_AND_CUT, FaultKind.STALLED_ANSWERS)),
    /** Owners read and write over three servers: {@link FamilyOwners}. */
    HALVES(
            Scene.FAMILY,
            3,
            8,
            Climate.USUAL.withOnly(
                    FaultKind.SLOW_NETWORK,
                    FaultKind.STALLED_REQUESTS,
                    FaultKind.STALLED_ANSWERS,
                    FaultKind.CUT_CONNECTION,
                    FaultKind.PARTITION,
                    FaultKind.CUT_MESSAGES,
                    FaultKind.MESSY_MESSAGES,
                    FaultKind.STOPPED_SERVER,
                    FaultKind.SLOW_SERVER,
                    FaultKind.FULL_SERVER,
                    FaultKind.FLUSHED_SCRIPTS,
                    FaultKind.PAUSED_CLIENT,
                    FaultKind.CRASHED_CLIENT,
                    FaultKind.CLOSED_CLIENT,
                    FaultKind.CLOCK_STEP_BACK)),
    /** The same without faults, and one lock. */
    HALVES_CALM(Scene.FAMILY, 3, 0, Climate.USUAL.withOneLock()),
    /** The same, where servers are restarted, with their data and without. */
    HALVES_RESTARTS(
            Scene.FAMILY,
            3,
            6,
            Climate.USUAL
                    .withOneLock()
                    .withOnly(FaultKind.RESTART_WITHOUT_DATA, FaultKind.RESTART_WITH_DATA, FaultKind.CUT_CONNECTION)),
    /** Slots of a cluster move, while plain locks in them are wanted and held, and things go wrong: {@link ClusterRun}. */
    MOVES(Scene.MOVES, 6, 10, Climate.USUAL),
    /** The same, and nothing goes wrong but that slots move. */
    MOVES_CALM(Scene.MOVES, 6, 0, Climate.USUAL),
    /** The same, where slots are moved with all their keys at one moment. */
    MOVES_WHOLE(Scene.MOVES, 6, 10, Climate.USUAL),
    /** The same with readers, writers, fair and plain owners. */
    MOVES_FAMILY(Scene.MOVES, 6, 8, Climate.USUAL),
    /** The same, and nothing goes wrong but that slots move. */
    MOVES_FAMILY_CALM(Scene.MOVES, 6, 0, Climate.USUAL),
    /** Sentinels replace the primary again and again, and clients with the failover guard hear of it late: {@link GuardedRun}. */
    GUARD(Scene.GUARD, 3, 0, Climate.USUAL),
    /** The same with every kind of lock, permits and elections. */
    GUARD_FAMILY(Scene.GUARD, 3, 0, Climate.USUAL),
    /** The server is out of reach for longer than clients put up with. */
    OUTAGES(
            1,
            4,
            KeyScheme.HOLDFAST,
            Climate.USUAL
                    .withImpatientClients()
                    .withOutagesUpTo(16_000)
                    .withOnly(FaultKind.BUSY_SERVER, FaultKind.STOPPED_SERVER, FaultKind.PARTITION));

    static final int OPERATIONS = 100;

    /** Who comes to a world, and for what. */
    enum Scene {
        /** Owners that want exclusive locks: {@link Run}. */
        LOCKS,
        /** The same, with the failover guard: {@link GuardedRun}. */
        GUARD,
        /** Owners that want locks of a cluster: {@link ClusterRun}. */
        MOVES,
        /** Owners that share what they want: {@link FamilyRun}. */
        FAMILY,
        BESIDE,
        PERMITS,
        CONDITIONS,
        ELECTIONS,
        LATCHES;

        /** The key of what is wanted. */
        String key(String name) {
            return "holdfast:{" + name + '}' + (this == PERMITS ? ":permits" : "");
        }
    }

    final Scene scene;
    final int servers;
    final int faults;
    final KeyScheme scheme;
    final Climate climate;

    Workload(int servers, int faults, KeyScheme scheme) {
        this(servers, faults, scheme, Climate.USUAL);
    }

    Workload(int servers, int faults, KeyScheme scheme, Climate climate) {
        this(Scene.LOCKS, servers, faults, scheme, climate);
    }

    Workload(Scene scene, int servers, int faults, Climate climate) {
        this(scene, servers, faults, KeyScheme.HOLDFAST, climate);
    }

    Workload(Scene scene, int servers, int faults, KeyScheme scheme, Climate climate) {
        this.scene = scene;
        this.climate = climate;
        this.servers = servers;
        this.faults = faults;
        this.scheme = scheme;
    }

    boolean isQuorum() {
        return servers > 1 && scene != Scene.GUARD && scene != Scene.MOVES;
    }

    /** How much of the time for fresh seeds it gets, beside the others. */
    int share() {
        return switch (this) {
            case STANDARD -> 36;
            case REDLOCK -> 16;
            case CALM, REDISSON, REDLOCK5 -> 8;
            default -> 2;
        };
    }

    String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return title();
    }

    static Workload of(String title) {
        return Arrays.stream(values())
                .filter(workload -> workload.title().equals(title))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("workload: '" + title + "' (expected: one of "
                        + Arrays.stream(values()).map(Workload::title).collect(Collectors.joining(", ")) + ")"));
    }
}
