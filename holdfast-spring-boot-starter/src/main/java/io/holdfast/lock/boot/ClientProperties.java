package io.holdfast.lock.boot;

import io.holdfast.lock.IoTransport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/** One client: the options of {@link io.holdfast.lock.ClientOptions}, each by its name, and where it connects to. */
class ClientProperties {

    /** Where the client connects to, as in redis://user:password@host:6379/0; rediss for TLS. */
    private @Nullable String url;

    /** Where it connects to for locks of a quorum: one address for each independent server. */
    private @Nullable List<String> urls;

    /** How long connecting tries at the start. */
    private @Nullable Duration connectTimeout;

    /** How long a command may go without an answer. */
    private @Nullable Duration commandTimeout;

    /** How often an idle connection is checked. */
    private @Nullable Duration heartbeat;

    /** The first pause before connecting again. */
    private @Nullable Duration backoffMin;

    /** The longest pause before connecting again. */
    private @Nullable Duration backoffMax;

    /** How long a call without a deadline keeps retrying while the server fails. */
    private @Nullable Duration maxOutage;

    /** How many calls for locks may wait to be sent. */
    private @Nullable Integer queueLimit;

    /** How many threads serve the connections. */
    private @Nullable Integer ioThreads;

    /** How the client speaks to the network. */
    private @Nullable IoTransport transport;

    /** What the server calls the client, and its threads begin with. */
    private @Nullable String clientName;

    /** What the application is called in the client's record at the store; spring.application.name by default. */
    private @Nullable String applicationName;

    /** Whether the client writes down at the store which process it is. */
    private @Nullable Boolean clientRecord;

    /** The user at the servers, where the address has none. */
    private @Nullable String user;

    /** The password at the servers, where the address has none. */
    private @Nullable String password;

    /** The path of a file that holds the password and nothing else. */
    private @Nullable String passwordFile;

    /** Whether the client connects at the first call, and does not fail before. */
    private @Nullable Boolean lazy;

    /** Where servers are reached that Sentinels or nodes of a cluster announce elsewhere: announced address to reachable address. */
    private @Nullable Map<String, String> addressMapper;

    /** The longest lease of locks that no two owners hold across a failover. */
    private @Nullable Duration failoverGuard;

    /** Whether a lock is handed on among the calls of this client without asking the server. */
    private @Nullable Boolean localHandOver;

    /** How many replicas have to confirm a lock before it counts. */
    @NestedConfigurationProperty
    private @Nullable ReplicasProperties waitForReplicas;

    /** What is trusted and shown where the address begins with rediss. */
    @NestedConfigurationProperty
    private @Nullable TlsProperties tls;

    /** How the client talks to Sentinels, where the address names them. */
    @NestedConfigurationProperty
    private @Nullable SentinelProperties sentinel;

    /** Options of locks that have none of their own. */
    @NestedConfigurationProperty
    private @Nullable LockProperties lock;

    /** How locks of a quorum behave. */
    @NestedConfigurationProperty
    private @Nullable QuorumProperties quorum;

    /** What is written here, as the texts that {@link io.holdfast.lock.ClientOptions#fromTexts} reads. */
    final Map<String, String> texts() {
        OptionWriter texts = new OptionWriter();
        texts.add("address", url);
        texts.add("connectTimeout", connectTimeout);
        texts.add("commandTimeout", commandTimeout);
        texts.add("heartbeat", heartbeat);
        texts.add("backoffMin", backoffMin);
        texts.add("backoffMax", backoffMax);
        texts.add("maxOutage", maxOutage);
        texts.add("queueLimit", queueLimit);
        texts.add("ioThreads", ioThreads);
        texts.add("transport", transport);
        texts.add("clientName", clientName);
        texts.add("applicationName", applicationName);
        texts.add("clientRecord", clientRecord);
        texts.add("user", user);
        texts.add("password", password);
        texts.add("passwordFile", passwordFile);
        texts.add("lazy", lazy);
        if (addressMapper != null && !addressMapper.isEmpty()) {
            texts.add(
                    "addressMapper",
                    addressMapper.entrySet().stream()
                            .map(pair -> pair.getKey() + "=" + pair.getValue())
                            .collect(Collectors.joining(",")));
        }
        texts.add("failoverGuard", failoverGuard);
        texts.add("localHandOver", localHandOver);
        if (waitForReplicas != null) {
            waitForReplicas.write(texts);
        }
        if (tls != null) {
            tls.write(TlsProperties.ROOM, texts);
        }
        if (sentinel != null) {
            sentinel.write(texts);
        }
        if (lock != null) {
            lock.write(texts);
        }
        return texts.written();
    }

    /** Of these, what also counts where there is no server. */
    final Map<String, String> textsOfAnyStore() {
        OptionWriter texts = new OptionWriter();
        texts.add("clientName", clientName);
        texts.add("applicationName", applicationName);
        texts.add("clientRecord", clientRecord);
        texts.add("queueLimit", queueLimit);
        if (lock != null) {
            lock.write(texts);
        }
        return texts.written();
    }

    public @Nullable String getUrl() {
        return url;
    }

    public void setUrl(@Nullable String url) {
        this.url = url;
    }

    public @Nullable List<String> getUrls() {
        return urls;
    }

    public void setUrls(@Nullable List<String> urls) {
        this.urls = urls;
    }

    public @Nullable Duration getConnectTimeout() {
        return connectTimeout;
    }

    public void setConnectTimeout(@Nullable Duration connectTimeout) {
        this.connectTimeout = connectTimeout;
    }

    public @Nullable Duration getCommandTimeout() {
        return commandTimeout;
    }

    public void setCommandTimeout(@Nullable Duration commandTimeout) {
        this.commandTimeout = commandTimeout;
    }

    public @Nullable Duration getHeartbeat() {
        return heartbeat;
    }

    public void setHeartbeat(@Nullable Duration heartbeat) {
        this.heartbeat = heartbeat;
    }

    public @Nullable Duration getBackoffMin() {
        return backoffMin;
    }

    public void setBackoffMin(@Nullable Duration backoffMin) {
        this.backoffMin = backoffMin;
    }

    public @Nullable Duration getBackoffMax() {
        return backoffMax;
    }

    public void setBackoffMax(@Nullable Duration backoffMax) {
        this.backoffMax = backoffMax;
    }

    public @Nullable Duration getMaxOutage() {
        return maxOutage;
    }

    public void setMaxOutage(@Nullable Duration maxOutage) {
        this.maxOutage = maxOutage;
    }

    public @Nullable Integer getQueueLimit() {
        return queueLimit;
    }

    public void setQueueLimit(@Nullable Integer queueLimit) {
        this.queueLimit = queueLimit;
    }

    public @Nullable Integer getIoThreads() {
        return ioThreads;
    }

    public void setIoThreads(@Nullable Integer ioThreads) {
        this.ioThreads = ioThreads;
    }

    public @Nullable IoTransport getTransport() {
        return transport;
    }

    public void setTransport(@Nullable IoTransport transport) {
        this.transport = transport;
    }

    public @Nullable String getClientName() {
        return clientName;
    }

    public void setClientName(@Nullable String clientName) {
        this.clientName = clientName;
    }

    public @Nullable String getApplicationName() {
        return applicationName;
    }

    public void setApplicationName(@Nullable String applicationName) {
        this.applicationName = applicationName;
    }

    public @Nullable Boolean getClientRecord() {
        return clientRecord;
    }

    public void setClientRecord(@Nullable Boolean clientRecord) {
        this.clientRecord = clientRecord;
    }

    public @Nullable String getUser() {
        return user;
    }

    public void setUser(@Nullable String user) {
        this.user = user;
    }

    public @Nullable String getPassword() {
        return password;
    }

    public void setPassword(@Nullable String password) {
        this.password = password;
    }

    public @Nullable String getPasswordFile() {
        return passwordFile;
    }

    public void setPasswordFile(@Nullable String passwordFile) {
        this.passwordFile = passwordFile;
    }

    public @Nullable Boolean getLazy() {
        return lazy;
    }

    public void setLazy(@Nullable Boolean lazy) {
        this.lazy = lazy;
    }

    public @Nullable Map<String, String> getAddressMapper() {
        return addressMapper;
    }

    public void setAddressMapper(@Nullable Map<String, String> addressMapper) {
        this.addressMapper = addressMapper;
    }

    public @Nullable Duration getFailoverGuard() {
        return failoverGuard;
    }

    public void setFailoverGuard(@Nullable Duration failoverGuard) {
        this.failoverGuard = failoverGuard;
    }

    public @Nullable Boolean getLocalHandOver() {
        return localHandOver;
    }

    public void setLocalHandOver(@Nullable Boolean localHandOver) {
        this.localHandOver = localHandOver;
    }

    public @Nullable ReplicasProperties getWaitForReplicas() {
        return waitForReplicas;
    }

    public void setWaitForReplicas(@Nullable ReplicasProperties waitForReplicas) {
        this.waitForReplicas = waitForReplicas;
    }

    public @Nullable TlsProperties getTls() {
        return tls;
    }

    public void setTls(@Nullable TlsProperties tls) {
        this.tls = tls;
    }

    public @Nullable SentinelProperties getSentinel() {
        return sentinel;
    }

    public void setSentinel(@Nullable SentinelProperties sentinel) {
        this.sentinel = sentinel;
    }

    public @Nullable LockProperties getLock() {
        return lock;
    }

    public void setLock(@Nullable LockProperties lock) {
        this.lock = lock;
    }

    public @Nullable QuorumProperties getQuorum() {
        return quorum;
    }

    public void setQuorum(@Nullable QuorumProperties quorum) {
        this.quorum = quorum;
    }
}
