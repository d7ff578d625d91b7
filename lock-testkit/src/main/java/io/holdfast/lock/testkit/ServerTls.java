package io.holdfast.lock.testkit;

import java.util.Map;

/**
 * The TLS of one server.
 *
 * @param authority which signed the server's certificate, and whose clients the server lets in
 * @param certificate what the server shows
 * @param mutual whether clients have to show a certificate too
 */
public record ServerTls(Certificates authority, CertifiedKey certificate, boolean mutual) {
    static final String AUTHORITY_FILE = "authority.pem";
    static final String CERTIFICATE_FILE = "server.pem";
    static final String KEY_FILE = "server.key";

    /** For a server on this machine, by an authority of its own. */
    static ServerTls fresh(boolean mutual) {
        Certificates authority = Certificates.newAuthority();
        return new ServerTls(authority, authority.server("localhost", FreePorts.HOST), mutual);
    }

    /** The files that the server needs beside its configuration. */
    Map<String, String> files() {
        return Map.of(
                AUTHORITY_FILE, authority.pem(),
                CERTIFICATE_FILE, certificate.certificatePem(),
                KEY_FILE, certificate.keyPem());
    }

    /** The server and its authority; no key. */
    @Override
    public String toString() {
        return "TLS" + (mutual ? " for clients with a certificate" : "") + " by " + authority;
    }
}
