package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the world of a workload is like: how far away the servers are, whether messages arrive, how long leases may last,
 * how many clients there are and how many locks to choose from, and what may go wrong.
 */
final class Climate {

    private static final Set<FaultKind> UNDISTURBING = Set.of(
            FaultKind.CUT_MESSAGES, FaultKind.MESSY_MESSAGES, FaultKind.FLUSHED_SCRIPTS, FaultKind.CLOSED_CLIENT);

    static final Climate USUAL = new Climate();

    private boolean far;
    private boolean nearButForOne;
    private boolean deaf;
    private boolean fenced = true;
    private boolean forceful;
    private boolean impatient;
    private boolean brisk;
    private boolean clinging;
    private boolean oneServerStays;
    private boolean rolling;
    private boolean hasty;
    private boolean choosy;
    private boolean crowded;
    private boolean replicated;
    private boolean recorded;
    private String ambush = "";
    private List<Form> forms = List.of(Form.PLAIN);
    private long longestLeaseMillis = 5_000;
    private long longestOutageMillis = 6_000;
    private int clients = 3;
    private int locks = 2;
    private List<FaultKind> kinds = List.of();

    /** A kind of lock whose holder is alone with it. */
    enum Form {
        PLAIN,
        FAIR,
        WRITE;

        RLock of(LockClient client, String name) {
            return switch (this) {
                case PLAIN -> client.getLock(name);
                case FAIR -> client.getFairLock(name);
                case WRITE -> client.getReadWriteLock(name).writeLock();
            };
        }
    }

    private Climate() {}

    private Climate with(Consumer<Climate> change) {
        Climate copy = new Climate();
        copy.far = far;
        copy.nearButForOne = nearButForOne;
        copy.deaf = deaf;
        copy.fenced = fenced;
        copy.forceful = forceful;
        copy.impatient = impatient;
        copy.brisk = brisk;
        copy.clinging = clinging;
        copy.oneServerStays = oneServerStays;
        copy.rolling = rolling;
        copy.hasty = hasty;
        copy.choosy = choosy;
        copy.crowded = crowded;
        copy.replicated = replicated;
        copy.recorded = recorded;
        copy.ambush = ambush;
        copy.forms = forms;
        copy.longestLeaseMillis = longestLeaseMillis;
        copy.longestOutageMillis = longestOutageMillis;
        copy.clients = clients;
        copy.locks = locks;
        copy.kinds = kinds;
        change.accept(copy);
        return copy;
    }

    // --- what it is like ---

    /** Whether every packet takes its time, so that much is on its way at once. */
    boolean far() {
        return far;
    }

    /** Whether every packet of a client takes its time. */
    boolean far(int client) {
        return far && (client == 0 || !nearButForOne);
    }

    /** Whether all messages are lost. */
    boolean deaf() {
        return deaf;
    }

    /**
     * Whether servers let clients kill their own old connections, at least in most runs. Where they do not, the network
     * takes its time with what was on its way when a connection broke.
     */
    boolean fenced() {
        return fenced;
    }

    /** The script for whose calls faults lie in wait, to strike when one is on its way; empty if they come by chance. */
    String ambush() {
        return ambush;
    }

    /** As what a client takes locks: they are the same locks for all clients. */
    Form form(int client) {
        return forms.get(client % forms.size());
    }

    /** Whether any client stands in the queues of servers. */
    boolean queues() {
        return !forms.equals(List.of(Form.PLAIN));
    }

    /** Whether clients put up with short outages only. */
    boolean impatient() {
        return impatient;
    }

    /** Whether locks are often freed by force. */
    boolean forceful() {
        return forceful;
    }

    /** Whether all owners give a lock back soon. */
    boolean brisk() {
        return brisk;
    }

    /** Whether all owners are threads, which keep a lock for a while and come back for more. */
    boolean clinging() {
        return clinging;
    }

    /** Whether nothing ever happens to one of several servers. */
    boolean oneServerStays() {
        return oneServerStays;
    }

    /** Whether servers are restarted one by one, so far apart that holds need not suffer. */
    boolean rolling() {
        return rolling;
    }

    /** Whether owners wait for a lock for less than a second, if not without a limit. */
    boolean hasty() {
        return hasty;
    }

    /** Whether the users have chosen an executor for their code. */
    boolean choosy() {
        return choosy;
    }

    /** Whether each client asks for more than its short queue can take, again and again for seconds. */
    boolean crowded() {
        return crowded;
    }

    /** Whether replicas have to confirm each grant. */
    boolean replicated() {
        return replicated;
    }

    /** Whether clients write down at the servers who they are. */
    boolean recorded() {
        return recorded;
    }

    long longestLeaseMillis() {
        return longestLeaseMillis;
    }

    /** How long a fault may last. */
    long longestOutageMillis() {
        return longestOutageMillis;
    }

    int clients() {
        return clients;
    }

    int locks() {
        return locks;
    }

    /** What may go wrong; empty for anything. */
    List<FaultKind> kinds() {
        return kinds;
    }

    /** Whether the clocks of several servers may be minutes apart: not where one is left out for so long every time. */
    boolean clocksAreApart() {
        return !kinds.contains(FaultKind.RESTART_WITHOUT_DATA);
    }

    /** Whether nothing goes wrong but with messages and scripts: all requests reach their server. */
    boolean reachesServers() {
        return !kinds.isEmpty() && UNDISTURBING.containsAll(kinds);
    }

    /** How far ahead of a server's clock the tokens of a lock over several servers may be. */
    Duration clockMargin() {
        return kinds.isEmpty() ? Duration.ofMinutes(10) : Duration.ofMinutes(1);
    }

    /** The shortest lease that is of use: one that does not end on its way to the owner. */
    long shortestLeaseMillis() {
        return far ? 150 : 10;
    }

    // --- how it differs from the usual one ---

    Climate withFarServers() {
        return with(climate -> climate.far = true);
    }

    /** The servers are far away for the first client. */
    Climate withOneFarClient() {
        return withFarServers().with(climate -> climate.nearButForOne = true);
    }

    Climate withoutMessages() {
        return with(climate -> climate.deaf = true);
    }

    Climate withoutFence() {
        return with(climate -> climate.fenced = false);
    }

    Climate withImpatientClients() {
        return with(climate -> climate.impatient = true);
    }

    Climate withForce() {
        return with(climate -> climate.forceful = true);
    }

    Climate withBriskOwners() {
        return with(climate -> climate.brisk = true);
    }

    Climate withFaultsThatWaitFor(String script) {
        return with(climate -> climate.ambush = script);
    }

    Climate withClingingThreads() {
        return with(climate -> climate.clinging = true);
    }

    Climate withOneServerThatStays() {
        return with(climate -> climate.oneServerStays = true);
    }

    Climate withRollingRestarts() {
        return with(climate -> climate.rolling = true);
    }

    Climate withShortWaits() {
        return with(climate -> climate.hasty = true);
    }

    Climate withChosenExecutors() {
        return with(climate -> climate.choosy = true);
    }

    Climate withCrowds() {
        return with(climate -> climate.crowded = true);
    }

    Climate withReplicas() {
        return with(climate -> climate.replicated = true);
    }

    Climate withRecords() {
        return with(climate -> climate.recorded = true);
    }

    /** Clients take locks in these forms, in turn. */
    Climate withForms(Form... inTurn) {
        return with(climate -> climate.forms = List.of(inTurn));
    }

    Climate withLeasesUpTo(long mostMillis) {
        return with(climate -> climate.longestLeaseMillis = mostMillis);
    }

    Climate withOutagesUpTo(long mostMillis) {
        return with(climate -> climate.longestOutageMillis = mostMillis);
    }

    Climate withClients(int number) {
        return with(climate -> climate.clients = number);
    }

    Climate withOneLock() {
        return with(climate -> climate.locks = 1);
    }

    Climate withOnly(FaultKind... these) {
        return with(climate -> climate.kinds = List.of(these));
    }
}
