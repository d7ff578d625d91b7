package io.holdfast.lock;

import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a client talks to the Sentinels that its address names, {@code redis-sentinel://} and {@code rediss-sentinel://}.
 * Immutable.
 *
 * <table>
 *   <caption>Defaults</caption>
 *   <tr><th>option</th><th>default</th><th>meaning</th></tr>
 *   <tr><td>credentials</td><td>none</td><td>who the client is to the Sentinels; they never hear the servers' credentials</td></tr>
 *   <tr><td>tls</td><td>none</td><td>TLS to the Sentinels with options of its own; without, there is TLS with {@link
 *       ClientOptions#tls} where the address begins with {@code rediss-sentinel://}</td></tr>
 *   <tr><td>silence</td><td>5 s</td><td>after how long without a word from any Sentinel the client says so</td></tr>
 * </table>
 */
public final class SentinelOptions {

    private static final Duration MIN_SILENCE = Duration.ofSeconds(1);
    private static final Duration MAX_SILENCE = Duration.ofHours(1);
    private static final SentinelOptions DEFAULTS = new Builder().build();

    private final Optional<CredentialsProvider> credentials;
    private final Optional<TlsOptions> tls;
    private final boolean plain;
    private final Duration silence;

    private SentinelOptions(Builder builder) {
        this.credentials = builder.credentials;
        this.tls = builder.tls;
        this.plain = builder.plain;
        this.silence = builder.silence;
    }

    /** No credentials, TLS as the address says, 5 s. */
    public static SentinelOptions defaults() {
        return DEFAULTS;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from these options. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.credentials = credentials;
        builder.tls = tls;
        builder.plain = plain;
        builder.silence = silence;
        return builder;
    }

    public Optional<CredentialsProvider> credentials() {
        return credentials;
    }

    /** TLS to the Sentinels, whatever the address says; empty where {@link #plain} or the address decides. */
    public Optional<TlsOptions> tls() {
        return tls;
    }

    /** True if there is no TLS to the Sentinels, whatever the address says. */
    public boolean plain() {
        return plain;
    }

    public Duration silence() {
        return silence;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SentinelOptions that
                && credentials.equals(that.credentials)
                && tls.equals(that.tls)
                && plain == that.plain
                && silence.equals(that.silence);
    }

    @Override
    public int hashCode() {
        return Objects.hash(credentials, tls, plain, silence);
    }

    /** The options, without anything secret. */
    @Override
    public String toString() {
        return "SentinelOptions{credentials=" + (credentials.isPresent() ? "given" : "none") + ", tls="
                + (plain ? "plain" : tls.isPresent() ? Printable.message(tls.get()) : "as the address says")
                + ", silence=" + Durations.of(silence) + '}';
    }

    /** Collects options. */
    public static final class Builder {

        private Optional<CredentialsProvider> credentials = Optional.empty();
        private Optional<TlsOptions> tls = Optional.empty();
        private boolean plain;
        private Duration silence = Duration.ofSeconds(5);

        private Builder() {}

        /** Who the client is to the Sentinels, which have users and passwords of their own. */
        public Builder credentials(CredentialsProvider credentials) {
            this.credentials = Optional.of(Objects.requireNonNull(credentials, "credentials"));
            return this;
        }

        /** Takes the credentials back: the client does not say who it is. */
        public Builder noCredentials() {
            this.credentials = Optional.empty();
            return this;
        }

        /** TLS to the Sentinels with these options, whatever the address says. */
        public Builder tls(TlsOptions tls) {
            this.tls = Optional.of(Objects.requireNonNull(tls, "tls"));
            this.plain = false;
            return this;
        }

        /** No TLS to the Sentinels, whatever the address says. */
        public Builder plain() {
            this.tls = Optional.empty();
            this.plain = true;
            return this;
        }

        /** Takes both back: the address says whether there is TLS, and {@link ClientOptions#tls} which. */
        public Builder tlsOfTheAddress() {
            this.tls = Optional.empty();
            this.plain = false;
            return this;
        }

        /** After how long without a word from any Sentinel the client says so; 1 s to 1 h. */
        public Builder silence(Duration silence) {
            this.silence = Options.between(MIN_SILENCE, MAX_SILENCE, "silence", silence);
            return this;
        }

        public SentinelOptions build() {
            return new SentinelOptions(this);
        }
    }
}
