package io.holdfast.lock.netty.tls;

import io.holdfast.lock.text.Printable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file that an option names. Each complaint about it names both. */
final class SourceFile {

    /** More than any collection of authorities. */
    private static final long MOST_BYTES = 16 << 20;

    private final String option;
    private final Path path;

    SourceFile(String option, Path path) {
        this.option = option;
        this.path = path;
    }

    Path path() {
        return path;
    }

    /**
     * What tells a file from what was there before: its times alone would not, where two changes come in one tick, nor
     * its size.
     *
     * @return text to compare; that of a missing file is no file's
     */
    String stamp() {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return attributes.lastModifiedTime().toString() + ' ' + attributes.size() + ' ' + attributes.fileKey();
        } catch (IOException missing) {
            return "";
        }
    }

    byte[] read(String expected) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                throw refused("is a directory", expected);
            }
            if (!attributes.isRegularFile()) {
                // A pipe would be waited for until there is a writer.
                throw refused("is no regular file", expected);
            }
            if (attributes.size() > MOST_BYTES) {
                throw refused("has more than " + MOST_BYTES + " bytes", expected);
            }
            return Files.readAllBytes(path);
        } catch (NoSuchFileException missing) {
            throw refused("is missing", expected, missing);
        } catch (IOException unreadable) {
            throw refused("can't be read", expected, unreadable);
        }
    }

    /** The blocks of a PEM file; none if it is no such file. */
    List<PemBlock> blocks(String expected) {
        String text = new String(read(expected), StandardCharsets.ISO_8859_1);
        try {
            return PemBlock.all(text);
        } catch (IllegalArgumentException malformed) {
            throw refused("holds a malformed block", expected, malformed);
        }
    }

    /** The certificates of a PEM file, at least one. */
    List<X509Certificate> certificates() {
        String expected = "a PEM file with certificates";
        List<X509Certificate> certificates = new ArrayList<>();
        for (PemBlock block : blocks(expected)) {
            if (block.label().equals("CERTIFICATE") || block.label().equals("X509 CERTIFICATE")) {
                certificates.add(certificate(block, expected));
            }
        }
        if (certificates.isEmpty()) {
            throw refused("holds no certificate", expected);
        }
        return certificates;
    }

    private X509Certificate certificate(PemBlock block, String expected) {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(block.bytes()));
        } catch (CertificateException malformed) {
            throw refused("holds a malformed certificate", expected, malformed);
        }
    }

    @Override
    public String toString() {
        return option + ": " + Printable.of(path);
    }

    IllegalArgumentException refused(String fault, String expected) {
        return refused(fault, expected, null);
    }

    IllegalArgumentException refused(String fault, String expected, @Nullable Throwable cause) {
        return new IllegalArgumentException(this + " " + fault + " (expected: " + expected + ")", cause);
    }
}
