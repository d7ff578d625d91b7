package io.holdfast.lock.netty.tls;

import io.holdfast.lock.text.Printable;
import java.io.IOException;
import java.security.GeneralSecurityException;
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
import java.util.concurrent.RejectedExecutionException;
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
     * What was refused on a channel, and why.
     *
     * @param name the name that the server's certificate must have
     * @return null if nothing was: the connection was cut, or it is no matter of TLS
     */
    public static @Nullable String words(Throwable failure, String name) {
        return find(SSLException.class, causes(failure)) == null ? null : ofHandshake(failure, name);
    }

    /**
     * What was refused in a handshake, in which all that goes wrong is a matter of TLS, but for an {@link #obstacle}.
     *
     * @param name the name that the server's certificate must have
     * @return null if there was an obstacle
     */
    public static @Nullable String ofHandshake(Throwable failure, String name) {
        List<Throwable> causes = causes(failure);
        if (obstacle(causes) != null) {
            return null;
        }
        if (causes.stream().anyMatch(NettyEngines::isOfNoTls)) {
            return "the server speaks no TLS on this port (expected: its port for TLS, or an address with redis://)";
        }
        String ofCertificate = ofCertificate(causes, name);
        return ofCertificate != null ? ofCertificate : ofProtocol(causes);
    }

    /**
     * What came between the peers, which is no matter of TLS: the connection was cut, or there is no thread to compute on.
     *
     * @return null if nothing did
     */
    public static @Nullable Throwable obstacle(Throwable failure) {
        return obstacle(causes(failure));
    }

    private static @Nullable Throwable obstacle(List<Throwable> causes) {
        for (Throwable cause : causes) {
            if (cause instanceof GeneralSecurityException) {
                // What comes now is why a certificate was refused: it can't be parsed, or an authority can't be asked.
                return null;
            }
            boolean cut = cause instanceof IOException && !(cause instanceof SSLException);
            if (cut || cause instanceof RejectedExecutionException) {
                return cause;
            }
        }
        return null;
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
        Throwable root = causes.get(causes.size() - 1);
        // Of code that went wrong, perhaps the user's, the message may be anything.
        boolean ofCode = root instanceof RuntimeException || root instanceof Error;
        return "the handshake of TLS failed: "
                + Printable.of(ofCode ? root.getClass().getName() : String.valueOf(root.getMessage()));
    }

    /** What the server said before it hung up, in the words of the JDK's engine or of OpenSSL's; empty if it did not. */
    private static String alert(String message) {
        // Later JDKs put the name of the alert before it.
        int words = message.indexOf(ALERT);
        if (words >= 0) {
            return message.substring(words + ALERT.length());
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

    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (@Nullable Throwable cause = failure;
                cause != null && causes.size() < MOST_CAUSES;
                cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }
}
