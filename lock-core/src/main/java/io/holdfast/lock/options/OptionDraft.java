package io.holdfast.lock.options;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;

/** Options in the making: a builder for each kind of them. */
final class OptionDraft {

    private final ClientOptions.Builder client = ClientOptions.builder();
    private final SentinelDraft sentinel = new SentinelDraft();
    private final TlsDraft tls = new TlsDraft(TlsDraft.ROOM);
    private final LockOptions.Builder lock = LockOptions.builder();
    private final CredentialsDraft credentials = new CredentialsDraft("");

    ClientOptions.Builder client() {
        return client;
    }

    SentinelDraft sentinel() {
        return sentinel;
    }

    TlsDraft tls() {
        return tls;
    }

    LockOptions.Builder lock() {
        return lock;
    }

    CredentialsDraft credentials() {
        return credentials;
    }

    /** The options; throws {@link IllegalArgumentException} if they contradict each other. */
    ClientOptions build() {
        credentials.build().ifPresent(client::credentials);
        return client.sentinel(sentinel.build())
                .tls(tls.build())
                .lockOptions(lock.build())
                .build();
    }
}
