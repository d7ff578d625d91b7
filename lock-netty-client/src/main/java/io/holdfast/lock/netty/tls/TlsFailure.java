package io.holdfast.lock.netty.tls;

import io.holdfast.lock.text.Printable;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says in few words why two peers did not come to terms about TLS. */
public final class TlsFailure {

    private static final String ALERT = "Received fatal alert: ";
    private static final String ALERT_OF_OPENSSL = "_ALERT_";

    /** A chain of causes is this long at most, so that one that is a circle has an end. */
    private static final int MOST_CAUSES = 20;

    private TlsFailure() {}

    /**
     * What was refused, and why.
     *
     * @param name the name that the server's certificate must have
     * @return null if nothing was: the connection was cut, or it is no matter of TLS
     */
    public static @Nullable String words(@Nullable Throwable failure, String name) {
        List<Throwable> causes = causes(failure);
        if (find(SSLException.class, causes) == null || find(ClosedChannelException.class, causes) != null) {
            return null;
        }
        if (causes.stream().anyMatch(NettyEngines::isOfNoTls)) {
            return "the server speaks no TLS on this port (expected: its port for TLS, or an address with redis://)";
        }
        String ofCertificate = ofCertificate(causes, name);
        return ofCertificate != null ? ofCertificate : ofProtocol(causes);
    }

    private static @Nullable String ofCertificate(List<Throwable> causes, String name) {
        Throwable expired = find(CertificateExpiredException.class, causes);
        if (expired != null) {
            return "the server's certificate has expired (" + Printable.of(expired.getMessage()) + ")";
        }
        Throwable early = find(CertificateNotYetValidException.class, causes);
        if (early != null) {
            return "the server's certificate is not valid yet (" + Printable.of(early.getMessage()) + ")";
        }
        Throwable path = find(CertPathValidatorException.class, causes);
        // An authority that has the name of a trusted one, and another key, is none either.
        boolean noAnchor = path instanceof CertPathValidatorException invalid
                && (invalid.getReason() == PKIXReason.NO_TRUST_ANCHOR
                        || invalid.getReason() == BasicReason.INVALID_SIGNATURE);
        if (noAnchor || find(CertPathBuilderException.class, causes) != null) {
            return "the server's certificate is signed by no authority that is trusted";
        }
        if (path != null) {
            return "the server's certificate is not accepted: " + Printable.of(path.getMessage());
        }
        Throwable certificate = find(CertificateException.class, causes);
        if (certificate == null) {
            return null;
        }
        String reason = String.valueOf(certificate.getMessage());
        boolean wrongName = reason.startsWith("No name matching")
                || reason.startsWith("No subject alternative")
                || reason.startsWith("Illegal given domain name");
        return wrongName
                ? "the server's certificate is not for " + Printable.of(name) + " (" + Printable.of(reason) + ")"
                : "the server's certificate is not accepted: " + Printable.of(reason);
    }

    private static String ofProtocol(List<Throwable> causes) {
        for (Throwable cause : causes) {
            String alert = alert(String.valueOf(cause.getMessage()));
            if (!alert.isEmpty()) {
                return "the server refuses: " + Printable.of(alert)
                        + "; perhaps it wants another certificate of the client, or another version of TLS";
            }
        }
        return "the handshake of TLS failed: "
                + Printable.of(String.valueOf(causes.get(causes.size() - 1).getMessage()));
    }

    /** What the server said before it hung up, in the words of the JDK's engine or of OpenSSL's; empty if it did not. */
    private static String alert(String message) {
        if (message.startsWith(ALERT)) {
            return message.substring(ALERT.length());
        }
        int start = message.indexOf(ALERT_OF_OPENSSL);
        return start < 0
                ? ""
                : message.substring(start + ALERT_OF_OPENSSL.length()).toLowerCase(Locale.ROOT);
    }

    private static @Nullable Throwable find(Class<? extends Throwable> type, List<Throwable> causes) {
        for (Throwable cause : causes) {
            if (type.isInstance(cause)) {
                return cause;
            }
        }
        return null;
    }

    private static List<Throwable> causes(@Nullable Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = failure; cause != null && causes.size() < MOST_CAUSES; cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }
}
