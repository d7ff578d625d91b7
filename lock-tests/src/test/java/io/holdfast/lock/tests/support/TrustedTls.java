package io.holdfast.lock.tests.support;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.TlsOptions;
import io.holdfast.lock.testkit.CertifiedKey;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files that a client of a server with TLS needs. */
public final class TrustedTls {

    private TrustedTls() {}

    /** The options, for a client that trusts the server's authority and shows a certificate where that is wanted. */
    public static ClientOptions options(RedisServer server, ClientOptions options) {
        return options.toBuilder().tls(tls(server)).build();
    }

    /** As above, without any other options. */
    public static TlsOptions tls(RedisServer server) {
        ServerTls tls = server.tls();
        TlsOptions.Builder builder =
                TlsOptions.builder().trustCertificates(file(tls.authority().pem()));
        if (tls.mutual()) {
            CertifiedKey client = tls.authority().client("party");
            builder.certificate(file(client.certificatePem()), file(client.keyPem()));
        }
        return builder.build();
    }

    private static Path file(String text) {
        try {
            Path file = Files.createTempFile("holdfast-tls", ".pem");
            file.toFile().deleteOnExit();
            return Files.writeString(file, text);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
