package io.holdfast.lock.options;

import static io.holdfast.lock.options.TextForm.ADDRESS;
import static io.holdfast.lock.options.TextForm.FILE;
import static io.holdfast.lock.options.TextForm.MAPPER;
import static io.holdfast.lock.options.TextForm.NUMBER;
import static io.holdfast.lock.options.TextForm.REPLICAS;
import static io.holdfast.lock.options.TextForm.SECRET;
import static io.holdfast.lock.options.TextForm.TEXT;
import static io.holdfast.lock.options.TextForm.TIME;
import static io.holdfast.lock.options.TextForm.WORDS;
import static io.holdfast.lock.options.TextForm.YES_OR_NO;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.IoTransport;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.ReplicaWait;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All options that have a text form. Those that take code have none: {@code callbackExecutor}, providers of
 * credentials and other mappers of addresses of a client, {@code sslContext} of TLS, {@code listener} of a lock.
 */
final class OptionTable {

    static final String LOCK = "lock.";

    static final List<OptionRow<?>> ROWS = Stream.of(
                    ofClients(),
                    ofTls(TlsDraft.ROOM, OptionDraft::tls),
                    ofSentinels(),
                    ofTls(SentinelDraft.ROOM + TlsDraft.ROOM, draft -> draft.sentinel()
                            .tls()),
                    ofLocks())
            .<OptionRow<?>>flatMap(List::stream)
            .toList();

    private static final Map<String, OptionRow<?>> BY_NAME =
            ROWS.stream().collect(Collectors.toMap(OptionRow::name, row -> row, (a, b) -> a, LinkedHashMap::new));

    private OptionTable() {}

    static Optional<OptionRow<?>> row(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** The names of all options, as a file has them. */
    static Set<String> names() {
        return Collections.unmodifiableSet(BY_NAME.keySet());
    }

    /** Options of a client that are in no room. */
    private static List<OptionRow<?>> ofClients() {
        return List.of(
                client("address", ADDRESS, ClientOptions.Builder::address),
                client("connectTimeout", TIME, ClientOptions.Builder::connectTimeout),
                client("commandTimeout", TIME, ClientOptions.Builder::commandTimeout),
                client("heartbeat", TIME, ClientOptions.Builder::heartbeat),
                client("backoffMin", TIME, ClientOptions.Builder::backoffMin),
                client("backoffMax", TIME, ClientOptions.Builder::backoffMax),
                client("maxOutage", TIME, ClientOptions.Builder::maxOutage),
                client("queueLimit", NUMBER, ClientOptions.Builder::queueLimit),
                client("ioThreads", NUMBER, ClientOptions.Builder::ioThreads),
                client("transport", TextForm.oneOf(IoTransport.class), ClientOptions.Builder::transport),
                client("clientName", TEXT, ClientOptions.Builder::clientName),
                client(
                        "applicationName",
                        TEXT.orNone(),
                        orNone(ClientOptions.Builder::applicationName, ClientOptions.Builder::noApplicationName)),
                client("clientRecord", YES_OR_NO, ClientOptions.Builder::clientRecord),
                row("user", SECRET, (draft, text) -> draft.credentials().user(text)),
                row("password", SECRET, (draft, text) -> draft.credentials().password(text)),
                row("passwordFile", FILE, (draft, file) -> draft.credentials().passwordFile(file)),
                client("lazy", YES_OR_NO, ClientOptions.Builder::lazy),
                client("addressMapper", MAPPER, ClientOptions.Builder::addressMapper),
                client(
                        "waitForReplicas",
                        REPLICAS.orNone(),
                        orNone(OptionTable::waitForReplicas, ClientOptions.Builder::noWaitForReplicas)),
                client(
                        "failoverGuard",
                        TIME.orNone(),
                        orNone(ClientOptions.Builder::failoverGuard, ClientOptions.Builder::noFailoverGuard)),
                client("localHandOver", YES_OR_NO, ClientOptions.Builder::localHandOver));
    }

    private static void waitForReplicas(ClientOptions.Builder client, ReplicaWait wait) {
        if (wait.onDisk()) {
            client.waitForReplicasOnDisk(wait.replicas(), wait.timeout());
        } else {
            client.waitForReplicas(wait.replicas(), wait.timeout());
        }
    }

    /** Options of TLS, to the servers or to the Sentinels. */
    private static List<OptionRow<?>> ofTls(String room, Function<OptionDraft, TlsDraft> draft) {
        return List.of(
                tls(room, "trustCertificates", FILE, draft, TlsDraft::trustCertificates),
                tls(room, "trustStore", FILE, draft, TlsDraft::trustStore),
                tls(room, "trustStorePassword", SECRET, draft, TlsDraft::trustStorePassword),
                tls(room, "certificate", FILE, draft, TlsDraft::certificate),
                tls(room, "key", FILE, draft, TlsDraft::key),
                tls(room, "keyPassword", SECRET, draft, TlsDraft::keyPassword),
                tls(room, "keyStore", FILE, draft, TlsDraft::keyStore),
                tls(room, "keyStorePassword", SECRET, draft, TlsDraft::keyStorePassword),
                tls(room, "protocols", WORDS, draft, (tls, names) -> tls.builder()
                        .protocols(names)),
                tls(room, "serverName", TEXT, draft, (tls, name) -> tls.builder()
                        .serverName(name)),
                tls(room, "verifySeedName", YES_OR_NO, draft, (tls, on) -> tls.builder()
                        .verifySeedName(on)));
    }

    /** Options of Sentinels, without those of TLS to them. */
    private static List<OptionRow<?>> ofSentinels() {
        return List.of(
                row("sentinel.user", SECRET, (draft, text) -> draft.sentinel()
                        .credentials()
                        .user(text)),
                row("sentinel.password", SECRET, (draft, text) -> draft.sentinel()
                        .credentials()
                        .password(text)),
                row("sentinel.passwordFile", FILE, (draft, file) -> draft.sentinel()
                        .credentials()
                        .passwordFile(file)),
                row("sentinel.silence", TIME, (draft, time) -> draft.sentinel()
                        .builder()
                        .silence(time)),
                row("sentinel.plain", YES_OR_NO, (draft, plain) -> draft.sentinel()
                        .plain(plain)));
    }

    /** Options of locks. */
    private static List<OptionRow<?>> ofLocks() {
        return List.of(
                lock("watchdogLease", TIME, LockOptions.Builder::watchdogLease),
                lock("lease", TIME.orNone(), orNone(LockOptions.Builder::lease, LockOptions.Builder::noLease)),
                lock("maxHold", TIME.orNone(), orNone(LockOptions.Builder::maxHold, LockOptions.Builder::noMaxHold)),
                lock("keyScheme", TextForm.oneOf(KeyScheme.class), LockOptions.Builder::keyScheme),
                lock("prefix", TEXT, LockOptions.Builder::prefix));
    }

    private static <T> OptionRow<T> row(String name, TextForm<T> form, BiConsumer<OptionDraft, T> set) {
        return new OptionRow<>(name, form, set);
    }

    private static <T> OptionRow<T> client(String name, TextForm<T> form, BiConsumer<ClientOptions.Builder, T> set) {
        return new OptionRow<>(name, form, (draft, value) -> set.accept(draft.client(), value));
    }

    private static <T> OptionRow<T> tls(
            String room,
            String name,
            TextForm<T> form,
            Function<OptionDraft, TlsDraft> tls,
            BiConsumer<TlsDraft, T> set) {
        return new OptionRow<>(room + name, form, (draft, value) -> set.accept(tls.apply(draft), value));
    }

    private static <T> OptionRow<T> lock(String name, TextForm<T> form, BiConsumer<LockOptions.Builder, T> set) {
        return new OptionRow<>(LOCK + name, form, (draft, value) -> set.accept(draft.lock(), value));
    }

    /** Sets a value, or takes it back. */
    private static <B, T> BiConsumer<B, Optional<T>> orNone(BiConsumer<B, T> set, Consumer<B> takeBack) {
        return (builder, value) ->
                value.ifPresentOrElse(present -> set.accept(builder, present), () -> takeBack.accept(builder));
    }
}
