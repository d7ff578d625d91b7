package io.holdfast.lock;

import io.holdfast.lock.options.OptionTexts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The options of a client. Immutable. A builder, a file and environment variables set the same options; code overrides files
 * and variables, by {@link #toBuilder}.
 *
 * <table>
 *   <caption>Defaults</caption>
 *   <tr><th>option</th><th>default</th><th>meaning</th></tr>
 *   <tr><td>address</td><td>none</td><td>where {@link LockClient#connect(ClientOptions)} leads</td></tr>
 *   <tr><td>connectTimeout</td><td>10 s</td><td>how long {@code connect} tries; a later attempt to connect has 3 s of it at most</td></tr>
 *   <tr><td>commandTimeout</td><td>1 s</td><td>how long a command may go without an answer</td></tr>
 *   <tr><td>heartbeat</td><td>5 s</td><td>how often an idle connection is checked</td></tr>
 *   <tr><td>backoffMin</td><td>50 ms</td><td>the first pause before connecting again</td></tr>
 *   <tr><td>backoffMax</td><td>5 s</td><td>the longest pause before connecting again</td></tr>
 *   <tr><td>maxOutage</td><td>30 s</td><td>how long a call without a deadline keeps retrying while the server fails; a release has one commandTimeout</td></tr>
 *   <tr><td>queueLimit</td><td>65,536</td><td>calls for locks that may wait to be sent</td></tr>
 *   <tr><td>ioThreads</td><td>1</td><td>threads that serve the connections</td></tr>
 *   <tr><td>transport</td><td>AUTO</td><td>epoll or kqueue when present, else NIO</td></tr>
 *   <tr><td>callbackExecutor</td><td>own pool</td><td>where dependent stages, callbacks and listeners run</td></tr>
 *   <tr><td>clientName</td><td>{@code holdfast}</td><td>shown by the server and in thread names</td></tr>
 *   <tr><td>applicationName</td><td>none</td><td>what the client's record at the store says of it</td></tr>
 *   <tr><td>clientRecord</td><td>true</td><td>whether the client writes down at the store which process it is</td></tr>
 *   <tr><td>credentials</td><td>none</td><td>who the client is to its servers, where the address does not say it</td></tr>
 *   <tr><td>lazy</td><td>false</td><td>connect at the first call, and do not fail before</td></tr>
 *   <tr><td>tls</td><td>{@link TlsOptions#defaults()}</td><td>what is trusted and shown where the address begins with {@code rediss://}</td></tr>
 *   <tr><td>sentinel</td><td>{@link SentinelOptions#defaults()}</td><td>how the client talks to Sentinels, where the address names them</td></tr>
 *   <tr><td>addressMapper</td><td>none</td><td>where servers are reached that Sentinels or nodes of a cluster announce at other addresses</td></tr>
 *   <tr><td>waitForReplicas</td><td>none</td><td>how many replicas have to confirm a lock before it counts, in memory or on disk</td></tr>
 *   <tr><td>failoverGuard</td><td>none</td><td>the longest lease of locks that no two owners hold across a failover</td></tr>
 *   <tr><td>localHandOver</td><td>true</td><td>whether a lock is handed on among the calls of this client without asking the server</td></tr>
 *   <tr><td>lockOptions</td><td>{@link LockOptions#defaults()}</td><td>options of locks that have none of their own</td></tr>
 * </table>
 */
public final class ClientOptions {

    private static final ClientOptions DEFAULTS = new Builder().build();
    /** Written by this class alone, and never after the options are made. */
    private final Builder values;

    private ClientOptions(Builder values) {
        this.values = values;
    }

    public static ClientOptions defaults() {
        return DEFAULTS;
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * The options that a {@code .properties} file gives, and the defaults for all others. Names are those of the builder, with
     * {@code lock.} before those of {@link LockOptions}: {@code commandTimeout=500 ms}, {@code lock.prefix=shop}.
     *
     * @throws IllegalArgumentException if it can't be read, is malformed, or names an unknown option; never quotes the line
     */
    public static ClientOptions fromFile(Path file) {
        return OptionTexts.fromFile(Objects.requireNonNull(file, "file"));
    }

    /**
     * The options that environment variables give, {@code HOLDFAST_COMMAND_TIMEOUT} for one, and the defaults for all others.
     * Variables go before the file that {@code HOLDFAST_FILE} names, if it does. Nothing else reads them.
     * @throws IllegalArgumentException if a variable has no such value, or the file is refused by {@link #fromFile}
     */
    public static ClientOptions fromEnvironment() {
        return OptionTexts.fromEnvironment(System.getenv());
    }

    /** The options that texts by the names of {@link #fromFile} give. A complaint calls a text what {@code source} makes of its name. */
    public static ClientOptions fromTexts(Map<String, String> texts, UnaryOperator<String> source) {
        return OptionTexts.fromTexts(Map.copyOf(texts), Objects.requireNonNull(source, "source"));
    }

    /** A builder that starts from these options. */
    public Builder toBuilder() {
        return values.copy();
    }

    /** The address that {@link LockClient#connect(ClientOptions)} connects to. It may hold a password. */
    public Optional<String> address() {
        return values.address;
    }

    public Duration connectTimeout() {
        return values.connectTimeout;
    }

    public Duration commandTimeout() {
        return values.commandTimeout;
    }

    public Duration heartbeat() {
        return values.heartbeat;
    }

    public Duration backoffMin() {
        return values.backoffMin;
    }

    public Duration backoffMax() {
        return values.backoffMax;
    }

    public Duration maxOutage() {
        return values.maxOutage;
    }

    public int queueLimit() {
        return values.queueLimit;
    }

    public int ioThreads() {
        return values.ioThreads;
    }

    public IoTransport transport() {
        return values.transport;
    }

    public Optional<Executor> callbackExecutor() {
        return values.callbackExecutor;
    }

    public String clientName() {
        return values.clientName;
    }

    /** The application's name in the client's record. */
    public Optional<String> applicationName() {
        return values.applicationName;
    }

    /** True if the client keeps a record of itself at the store, which {@link LockInfo.Holder#client} tells others. */
    public boolean clientRecord() {
        return values.clientRecord;
    }

    public Optional<CredentialsProvider> credentials() {
        return values.credentials;
    }

    public boolean lazy() {
        return values.lazy;
    }

    public TlsOptions tls() {
        return values.tls;
    }

    public SentinelOptions sentinel() {
        return values.sentinel;
    }

    public Optional<AddressMapper> addressMapper() {
        return values.addressMapper;
    }

    public Optional<ReplicaWait> waitForReplicas() {
        return values.waitForReplicas;
    }

    /** The longest lease that the failover guard protects; empty if there is no guard. */
    public Optional<Duration> failoverGuard() {
        return values.failoverGuard;
    }

    /** True if a lock is handed on among the calls of this client without asking the server. */
    public boolean localHandOver() {
        return values.localHandOver;
    }

    public LockOptions lockOptions() {
        return values.lockOptions;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ClientOptions that && values.all().equals(that.values.all());
    }

    @Override
    public int hashCode() {
        return values.all().hashCode();
    }

    /** All but the address: which part of it is a password is known where it is read, and not here. */
    @Override
    public String toString() {
        return ShownClientOptions.of(this);
    }

    /** Collects options; {@link #build} checks that they fit together. */
    public static final class Builder {

        private Optional<String> address = Optional.empty();
        private Duration connectTimeout = Duration.ofSeconds(10);
        private Duration commandTimeout = Duration.ofSeconds(1);
        private Duration heartbeat = Duration.ofSeconds(5);
        private Duration backoffMin = Duration.ofMillis(50);
        private Duration backoffMax = Duration.ofSeconds(5);
        private Duration maxOutage = Duration.ofSeconds(30);
        private int queueLimit = 65_536;
        private int ioThreads = 1;
        private IoTransport transport = IoTransport.AUTO;
        private Optional<Executor> callbackExecutor = Optional.empty();
        private String clientName = "holdfast";
        private Optional<String> applicationName = Optional.empty();
        private boolean clientRecord = true;
        private Optional<CredentialsProvider> credentials = Optional.empty();
        private boolean lazy;
        private TlsOptions tls = TlsOptions.defaults();
        private SentinelOptions sentinel = SentinelOptions.defaults();
        private Optional<AddressMapper> addressMapper = Optional.empty();
        private Optional<ReplicaWait> waitForReplicas = Optional.empty();
        private Optional<Duration> failoverGuard = Optional.empty();
        private boolean localHandOver = true;
        private LockOptions lockOptions = LockOptions.defaults();

        private Builder() {}

        private Builder copy() {
            Builder copy = new Builder();
            copy.address = address;
            copy.connectTimeout = connectTimeout;
            copy.commandTimeout = commandTimeout;
            copy.heartbeat = heartbeat;
            copy.backoffMin = backoffMin;
            copy.backoffMax = backoffMax;
            copy.maxOutage = maxOutage;
            copy.queueLimit = queueLimit;
            copy.ioThreads = ioThreads;
            copy.transport = transport;
            copy.callbackExecutor = callbackExecutor;
            copy.clientName = clientName;
            copy.applicationName = applicationName;
            copy.clientRecord = clientRecord;
            copy.credentials = credentials;
            copy.lazy = lazy;
            copy.tls = tls;
            copy.sentinel = sentinel;
            copy.addressMapper = addressMapper;
            copy.waitForReplicas = waitForReplicas;
            copy.failoverGuard = failoverGuard;
            copy.localHandOver = localHandOver;
            copy.lockOptions = lockOptions;
            return copy;
        }

        private List<Object> all() {
            return List.of(
                    address,
                    connectTimeout,
                    commandTimeout,
                    heartbeat,
                    backoffMin,
                    backoffMax,
                    maxOutage,
                    queueLimit,
                    ioThreads,
                    transport,
                    callbackExecutor,
                    clientName,
                    applicationName,
                    clientRecord,
                    credentials,
                    lazy,
                    tls,
                    sentinel,
                    addressMapper,
                    waitForReplicas,
                    failoverGuard,
                    localHandOver,
                    lockOptions);
        }

        /** The address to connect to, as {@link LockClient#connect(String)} takes it. */
        public Builder address(String address) {
            this.address = Optional.of(Options.address(address));
            return this;
        }

        /** Takes the address back: the call that connects has it. */
        public Builder noAddress() {
            this.address = Optional.empty();
            return this;
        }

        public Builder connectTimeout(Duration connectTimeout) {
            this.connectTimeout = Options.time("connectTimeout", connectTimeout);
            return this;
        }

        public Builder commandTimeout(Duration commandTimeout) {
            this.commandTimeout = Options.time("commandTimeout", commandTimeout);
            return this;
        }

        public Builder heartbeat(Duration heartbeat) {
            this.heartbeat = Options.time("heartbeat", heartbeat);
            return this;
        }

        public Builder backoffMin(Duration backoffMin) {
            this.backoffMin = Options.time("backoffMin", backoffMin);
            return this;
        }

        public Builder backoffMax(Duration backoffMax) {
            this.backoffMax = Options.time("backoffMax", backoffMax);
            return this;
        }

        public Builder maxOutage(Duration maxOutage) {
            this.maxOutage = Options.time("maxOutage", maxOutage);
            return this;
        }

        public Builder queueLimit(int queueLimit) {
            this.queueLimit = Options.between(1, 1 << 24, "queueLimit", queueLimit);
            return this;
        }

        public Builder ioThreads(int ioThreads) {
            this.ioThreads = Options.between(1, 256, "ioThreads", ioThreads);
            return this;
        }

        public Builder transport(IoTransport transport) {
            this.transport = Objects.requireNonNull(transport, "transport");
            return this;
        }

        /**
         * The executor of dependent stages, callbacks and listeners. One that runs tasks on the thread that submits them puts
         * them on threads that serve connections, where blocking calls are refused. What it refuses, and a loss that it has not
         * begun to tell within a second, runs on threads of the client's own. It must not block in {@code execute}.
         */
        public Builder callbackExecutor(Executor callbackExecutor) {
            this.callbackExecutor = Optional.of(Objects.requireNonNull(callbackExecutor, "callbackExecutor"));
            return this;
        }

        /** Takes the choice of an executor back: callbacks run on threads of the client's own. */
        public Builder noCallbackExecutor() {
            this.callbackExecutor = Optional.empty();
            return this;
        }

        public Builder clientName(String clientName) {
            this.clientName = Options.clientName(clientName);
            return this;
        }

        /** The application's name, for operators who look for the holder of a lock: up to 128 characters. */
        public Builder applicationName(String applicationName) {
            this.applicationName = Optional.of(Options.applicationName(applicationName));
            return this;
        }

        /** Takes the name back. */
        public Builder noApplicationName() {
            this.applicationName = Optional.empty();
            return this;
        }

        /** Enables the record of the client at the store, written after its first grant. */
        public Builder clientRecord(boolean clientRecord) {
            this.clientRecord = clientRecord;
            return this;
        }

        /** Who the client is to its servers. Such a client connects to addresses without a password. */
        public Builder credentials(CredentialsProvider credentials) {
            this.credentials = Optional.of(Objects.requireNonNull(credentials, "credentials"));
            return this;
        }

        public Builder noCredentials() {
            this.credentials = Optional.empty();
            return this;
        }

        public Builder lazy(boolean lazy) {
            this.lazy = lazy;
            return this;
        }

        /** The certificates to trust and to present with TLS; refused with an address that is not {@code rediss://}. */
        public Builder tls(TlsOptions tls) {
            this.tls = Objects.requireNonNull(tls, "tls");
            return this;
        }

        /** How the client talks to Sentinels; refused with an address that names none. */
        public Builder sentinel(SentinelOptions sentinel) {
            this.sentinel = Objects.requireNonNull(sentinel, "sentinel");
            return this;
        }

        /** A translation of announced addresses to reachable ones; refused with an address that announces none. */
        public Builder addressMapper(AddressMapper addressMapper) {
            this.addressMapper = Optional.of(Objects.requireNonNull(addressMapper, "addressMapper"));
            return this;
        }

        /** Takes the mapper back: servers are reached where they are announced. */
        public Builder noAddressMapper() {
            this.addressMapper = Optional.empty();
            return this;
        }

        /**
         * Has every grant of a lock confirmed by so many replicas before it counts. Where fewer confirm it in time the call
         * fails with {@link FailureReason#NOREPLICAS}, and the lock is given back. Renewals and releases don't wait. A failover
         * then loses fewer locks, but may still lose some. Refused for a quorum.
         * @param timeout of one question to the replicas, which covers all grants before it
         */
        public Builder waitForReplicas(int replicas, Duration timeout) {
            this.waitForReplicas = Optional.of(new ReplicaWait(replicas, timeout, false));
            return this;
        }

        /**
         * The same, in place of {@link #waitForReplicas}, but that a lock counts when it is on the disks of the primary and of
         * so many replicas: a server that was restarted has not forgotten it. All of them have to keep an append-only file,
         * and to know {@code WAITAOF}, as Redis does from 7.2 on, and Valkey; otherwise calls fail.
         *
         * @param timeout above a second, unless the servers write each change to disk at once
         */
        public Builder waitForReplicasOnDisk(int replicas, Duration timeout) {
            this.waitForReplicas = Optional.of(new ReplicaWait(replicas, timeout, true));
            return this;
        }

        /** Takes either back: no replica is asked. */
        public Builder noWaitForReplicas() {
            this.waitForReplicas = Optional.empty();
            return this;
        }

        /**
         * Has no two owners hold one lock across a failover of a Sentinel group, at a price: after each change of the primary,
         * and each restart, no lock is granted before this lease, and some more, has passed. What was held goes on where the
         * new primary knows it. Longer leases are refused. All clients that share locks need the same guard, and the same
         * {@link SentinelOptions#silence}. Refused for a quorum, and where no Sentinels say which server is the primary.
         *
         * @param longestLease of any lock of any such client; from 100 ms to a day
         */
        public Builder failoverGuard(Duration longestLease) {
            this.failoverGuard = Optional.of(Options.guard(longestLease));
            return this;
        }

        /** Takes it back: a lock may be lost at a failover, and granted to another owner at once. */
        public Builder noFailoverGuard() {
            this.failoverGuard = Optional.empty();
            return this;
        }

        /**
         * Enables the local hand-over of a contended lock of {@link LockClient#getLock} between calls of this client, without
         * asking the server, for up to 50 ms at a time. Each hold has its own fencing token and lease. Others see the owner that
         * the server granted the lock to; set it to false if they have to see each owner.
         */
        public Builder localHandOver(boolean localHandOver) {
            this.localHandOver = localHandOver;
            return this;
        }

        public Builder lockOptions(LockOptions lockOptions) {
            this.lockOptions = Objects.requireNonNull(lockOptions, "lockOptions");
            return this;
        }

        /** The options; throws {@link IllegalArgumentException} if they contradict each other. */
        public ClientOptions build() {
            Options.notLonger("backoffMin", backoffMin, "backoffMax", backoffMax);
            Options.notLonger("commandTimeout", commandTimeout, "maxOutage", maxOutage);
            failoverGuard.ifPresent(longest -> Options.leasesWithin(lockOptions, longest));
            return new ClientOptions(copy());
        }
    }
}
