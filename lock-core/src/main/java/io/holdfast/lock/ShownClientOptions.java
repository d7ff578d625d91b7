package io.holdfast.lock;

import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;

/** How options of a client are shown: without addresses, secrets, and code of users. */
final class ShownClientOptions {

    private ShownClientOptions() {}

    static String of(ClientOptions options) {
        return "ClientOptions{address=" + (options.address().isPresent() ? "***" : "none") + ", connectTimeout="
                + Durations.of(options.connectTimeout()) + ", commandTimeout="
                + Durations.of(options.commandTimeout()) + ", heartbeat=" + Durations.of(options.heartbeat())
                + ", backoffMin="
                + Durations.of(options.backoffMin()) + ", backoffMax=" + Durations.of(options.backoffMax())
                + ", maxOutage="
                + Durations.of(options.maxOutage()) + ", queueLimit=" + options.queueLimit() + ", ioThreads="
                + options.ioThreads() + ", transport="
                + options.transport()
                + ", clientName=" + Printable.of(options.clientName()) + ", applicationName="
                + Printable.of(options.applicationName().orElse("none")) + ", clientRecord=" + options.clientRecord()
                + ", credentials="
                + (options.credentials().isPresent() ? "given" : "none") + ", lazy=" + options.lazy() + ", tls="
                + options.tls()
                + ", sentinel=" + options.sentinel() + ", addressMapper="
                + (options.addressMapper().isPresent() ? "given" : "none") + ", waitForReplicas="
                + Printable.message(
                        options.waitForReplicas().isPresent()
                                ? options.waitForReplicas().get()
                                : "none")
                + ", failoverGuard="
                + Printable.of(options.failoverGuard().map(Durations::of).orElse("none")) + ", localHandOver="
                + options.localHandOver() + ", lockOptions="
                + options.lockOptions() + '}';
    }
}
