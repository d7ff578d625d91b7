package io.holdfast.lock.netty.tls;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The private key of a PEM file: PKCS#8, plain or encrypted, and the formats before it, PKCS#1 (RSA) and SEC1 (elliptic
 * curves), plain or encrypted as OpenSSL did it by headers.
 */
final class KeyFile {

    private static final List<String> LABELS =
            List.of("PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS", "DSA");

    /** The scheme of PKCS#5 in which the parameters name the algorithms. */
    private static final List<String> NAMED_BY_PARAMETERS = List.of("PBES2", "1.2.840.113549.1.5.13");

    private static final int SALT_BYTES = 8;

    private final SourceFile file;
    private final Optional<String> password;

    private KeyFile(SourceFile file, Optional<String> password) {
        this.file = file;
        this.password = password;
    }

    /**
     * Reads the key.
     *
     * @throws IllegalArgumentException with a sentence on what is wrong with the file, or with the password
     */
    static PrivateKey read(SourceFile file, Optional<String> password) {
        PemBlock block = file.blocks("a PEM file with a private key").stream()
                .filter(candidate -> LABELS.contains(candidate.label()))
                .findFirst()
                .orElseThrow(() -> file.refused("holds no private key", "a PEM file with one"));
        return new KeyFile(file, password).key(block);
    }

    private PrivateKey key(PemBlock block) {
        if (block.label().equals("ENCRYPTED PRIVATE KEY")) {
            return decrypted(block);
        }
        boolean encrypted = block.header("Proc-Type").endsWith("ENCRYPTED");
        byte[] plain = encrypted ? decryptedByHeaders(block) : block.bytes();
        try {
            return parsed(
                    switch (block.label()) {
                        case "RSA PRIVATE KEY" -> Der.rsaKey(plain);
                        case "EC PRIVATE KEY" -> Der.ecKey(plain);
                        default -> plain;
                    });
        } catch (IllegalArgumentException | InvalidKeySpecException malformed) {
            throw encrypted ? wrongPassword(malformed) : unknown(malformed);
        }
    }

    /** The key, of whatever algorithm it is. */
    private static PrivateKey parsed(byte[] pkcs8) throws InvalidKeySpecException {
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(pkcs8);
        InvalidKeySpecException reason = new InvalidKeySpecException("an unknown algorithm");
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException anotherAlgorithm) {
                reason.addSuppressed(anotherAlgorithm);
            } catch (GeneralSecurityException notOffered) {
                reason.addSuppressed(notOffered);
            }
        }
        throw reason;
    }

    private PrivateKey decrypted(PemBlock block) {
        String given = requiredPassword();
        Cipher cipher;
        EncryptedPrivateKeyInfo info;
        try {
            info = new EncryptedPrivateKeyInfo(block.bytes());
            String name = info.getAlgName();
            String algorithm = NAMED_BY_PARAMETERS.contains(name) ? String.valueOf(info.getAlgParameters()) : name;
            PBEKeySpec spec = new PBEKeySpec(given.toCharArray());
            cipher = Cipher.getInstance(algorithm);
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    SecretKeyFactory.getInstance(algorithm).generateSecret(spec),
                    info.getAlgParameters());
        } catch (GeneralSecurityException | java.io.IOException | RuntimeException notOffered) {
            throw unknown(notOffered);
        }
        try {
            return parsed(info.getKeySpec(cipher).getEncoded());
        } catch (GeneralSecurityException wrong) {
            throw wrongPassword(wrong);
        }
    }

    /** What OpenSSL wrote before PKCS#8: the algorithm and the salt in headers, the key out of one round of MD5. */
    private byte[] decryptedByHeaders(PemBlock block) {
        String given = requiredPassword();
        String[] algorithmAndSalt =
                block.header("DEK-Info").toUpperCase(Locale.ROOT).split(",", 2);
        int keyBytes =
                switch (algorithmAndSalt[0]) {
                    case "AES-128-CBC" -> 16;
                    case "AES-192-CBC", "DES-EDE3-CBC" -> 24;
                    case "AES-256-CBC" -> 32;
                    default -> throw unknown(null);
                };
        boolean aes = algorithmAndSalt[0].startsWith("AES");
        byte[] salt;
        Cipher cipher;
        try {
            salt = HexFormat.of().parseHex(algorithmAndSalt[1].strip());
            byte[] key = keyOf(given, Arrays.copyOf(salt, SALT_BYTES), keyBytes);
            cipher = Cipher.getInstance(aes ? "AES/CBC/PKCS5Padding" : "DESede/CBC/PKCS5Padding");
            cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, aes ? "AES" : "DESede"), new IvParameterSpec(salt));
        } catch (GeneralSecurityException | RuntimeException malformed) {
            throw unknown(malformed);
        }
        try {
            return cipher.doFinal(block.bytes());
        } catch (GeneralSecurityException wrong) {
            throw wrongPassword(wrong);
        }
    }

    private static byte[] keyOf(String password, byte[] salt, int length) throws GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance("MD5");
        byte[] key = new byte[length];
        byte[] round = new byte[0];
        for (int filled = 0; filled < length; filled += round.length) {
            digest.update(round);
            digest.update(password.getBytes(StandardCharsets.UTF_8));
            round = digest.digest(salt);
            System.arraycopy(round, 0, key, filled, Math.min(round.length, length - filled));
        }
        return key;
    }

    private String requiredPassword() {
        return password.orElseThrow(
                () -> file.refused("is encrypted, and there is no password for it", "the key's password as well"));
    }

    private IllegalArgumentException wrongPassword(Throwable cause) {
        return file.refused("is encrypted with another password", "the password of this key", cause);
    }

    private IllegalArgumentException unknown(@Nullable Throwable cause) {
        return file.refused(
                "holds a private key in a form that can't be read", "PKCS#8, PKCS#1 or SEC1; RSA, EC or EdDSA", cause);
    }
}
