package io.holdfast.lock.boot;

import io.holdfast.lock.text.Printable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * Sentinels: the options of {@link io.holdfast.lock.SentinelOptions}, each by its name.
 *
 * @param user user at the Sentinels
 * @param password password at the Sentinels
 * @param passwordFile path of a file that holds the password and nothing else
 * @param silence after how long without a word from any Sentinel the client says so
 * @param plain whether there is no TLS to the Sentinels, whatever the address says
 * @param tls TLS to the Sentinels, whatever the address says
 */
record SentinelProperties(
        @Nullable String user,
        @Nullable String password,
        @Nullable String passwordFile,
        @Nullable Duration silence,
        @Nullable Boolean plain,
        @NestedConfigurationProperty @Nullable TlsProperties tls) {

    static final String ROOM = "sentinel.";

    void write(OptionWriter texts) {
        texts.add(ROOM + "user", user);
        texts.add(ROOM + "password", password);
        texts.add(ROOM + "passwordFile", passwordFile);
        texts.add(ROOM + "silence", silence);
        texts.add(ROOM + "plain", plain);
        if (tls != null) {
            tls.write(ROOM + TlsProperties.ROOM, texts);
        }
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "SentinelProperties{tls=" + Printable.of(tls) + "}";
    }
}
