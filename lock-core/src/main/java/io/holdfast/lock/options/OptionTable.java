package io.holdfast.lock.options;

import static io.holdfast.lock.options.TextForm.ADDRESS;
import static io.holdfast.lock.options.TextForm.FILE;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * All options that have a text form. Those that take code have none: {@code callbackExecutor} and providers of
 * credentials of a client, {@code sslContext} of TLS, {@code listener} of a lock.
 */
final class OptionTable {

    private static final String LOCK = "lock.";
    private static final String TLS = "tls.";

    static final List<OptionRow<?>> ROWS = List.of(
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
            row("user", SECRET, (draft, text) -> draft.credentials().user(text)),
            row("password", SECRET, (draft, text) -> draft.credentials().password(text)),
            row("passwordFile", FILE, (draft, file) -> draft.credentials().passwordFile(file)),
            client("lazy", YES_OR_NO, ClientOptions.Builder::lazy),
            client(
                    "waitForReplicas",
                    REPLICAS.orNone(),
                    orNone(ClientOptions.Builder::waitForReplicas, ClientOptions.Builder::noWaitForReplicas)),
            tls("trustCertificates", FILE, (tls, file) -> tls.builder().trustCertificates(file)),
            tls("trustStore", FILE, TlsDraft::trustStore),
            tls("trustStorePassword", SECRET, TlsDraft::trustStorePassword),
            tls("certificate", FILE, TlsDraft::certificate),
            tls("key", FILE, TlsDraft::key),
            tls("keyPassword", SECRET, TlsDraft::keyPassword),
            tls("keyStore", FILE, TlsDraft::keyStore),
            tls("keyStorePassword", SECRET, TlsDraft::keyStorePassword),
            tls("protocols", WORDS, (tls, names) -> tls.builder().protocols(names)),
            tls("serverName", TEXT, (tls, name) -> tls.builder().serverName(name)),
            lock("watchdogLease", TIME, LockOptions.Builder::watchdogLease),
            lock("lease", TIME.orNone(), orNone(LockOptions.Builder::lease, LockOptions.Builder::noLease)),
            lock("maxHold", TIME.orNone(), orNone(LockOptions.Builder::maxHold, LockOptions.Builder::noMaxHold)),
            lock("keyScheme", TextForm.oneOf(KeyScheme.class), LockOptions.Builder::keyScheme),
            lock("prefix", TEXT, LockOptions.Builder::prefix));

    private static final Map<String, OptionRow<?>> BY_NAME =
            ROWS.stream().collect(Collectors.toMap(OptionRow::name, row -> row, (a, b) -> a, LinkedHashMap::new));

    private OptionTable() {}

    static Optional<OptionRow<?>> row(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    private static <T> OptionRow<T> row(String name, TextForm<T> form, BiConsumer<OptionDraft, T> set) {
        return new OptionRow<>(name, form, set);
    }

    private static <T> OptionRow<T> client(String name, TextForm<T> form, BiConsumer<ClientOptions.Builder, T> set) {
        return new OptionRow<>(name, form, (draft, value) -> set.accept(draft.client(), value));
    }

    private static <T> OptionRow<T> tls(String name, TextForm<T> form, BiConsumer<TlsDraft, T> set) {
        return new OptionRow<>(TLS + name, form, (draft, value) -> set.accept(draft.tls(), value));
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
