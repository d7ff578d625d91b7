package io.holdfast.lock.options;

import io.holdfast.lock.SentinelOptions;
import org.jspecify.annotations.Nullable;

/** Options of Sentinels in the making. */
final class SentinelDraft {

    static final String ROOM = "sentinel.";

    private final SentinelOptions.Builder builder = SentinelOptions.builder();
    private final CredentialsDraft credentials = new CredentialsDraft(ROOM);

    /** Null as long as no text says anything of TLS: then the address decides. */
    private @Nullable TlsDraft tls;

    private boolean plain;

    SentinelOptions.Builder builder() {
        return builder;
    }

    CredentialsDraft credentials() {
        return credentials;
    }

    TlsDraft tls() {
        if (tls == null) {
            tls = new TlsDraft(ROOM + TlsDraft.ROOM);
        }
        return tls;
    }

    void plain(boolean value) {
        plain = value;
    }

    /** The options; throws {@link IllegalArgumentException} if they contradict each other, or one lacks another. */
    SentinelOptions build() {
        credentials.build().ifPresent(builder::credentials);
        if (plain && tls != null) {
            throw new IllegalArgumentException(
                    "sentinel.plain: true contradicts options of sentinel.tls (expected: one of them)");
        }
        if (plain) {
            builder.plain();
        }
        if (tls != null) {
            builder.tls(tls.build());
        }
        return builder.build();
    }
}
