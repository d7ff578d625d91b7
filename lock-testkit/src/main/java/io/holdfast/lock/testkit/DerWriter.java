package io.holdfast.lock.testkit;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Writes certificates (X.509 in DER): as much of the format as tests need. */
final class DerWriter {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final int BOOLEAN = 0x01;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT = 0x06;
    private static final int TEXT = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int VERSION = 0xa0;
    private static final int EXTENSIONS = 0xa3;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;

    private static final byte[] VERSION_3 = element(VERSION, element(INTEGER, new byte[] {2}));
    private static final byte[] TRUE = element(BOOLEAN, new byte[] {-1});
    /** 1.2.840.10045.4.3.2 */
    private static final byte[] ECDSA_WITH_SHA256 =
            element(SEQUENCE, element(OBJECT, new byte[] {0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 4, 3, 2}));
    /** 2.5.4.3 */
    private static final byte[] COMMON_NAME = element(OBJECT, new byte[] {0x55, 4, 3});
    /** 2.5.29.19 */
    private static final byte[] BASIC_CONSTRAINTS = element(OBJECT, new byte[] {0x55, 0x1d, 0x13});
    /** 2.5.29.17 */
    private static final byte[] ALTERNATIVE_NAMES = element(OBJECT, new byte[] {0x55, 0x1d, 0x11});

    private DerWriter() {}

    /** What of a certificate is signed. */
    static byte[] certificateContent(
            BigInteger serial,
            String issuer,
            String subject,
            Instant begin,
            Instant end,
            byte[] key,
            boolean authority,
            List<String> namesAndAddresses) {
        byte[] validity = element(SEQUENCE, time(begin), time(end));
        return element(
                SEQUENCE,
                VERSION_3,
                element(INTEGER, serial.toByteArray()),
                ECDSA_WITH_SHA256,
                name(issuer),
                validity,
                name(subject),
                key,
                extensions(authority, namesAndAddresses));
    }

    static byte[] certificate(byte[] content, byte[] signature) {
        return element(SEQUENCE, content, ECDSA_WITH_SHA256, element(BIT_STRING, new byte[] {0}, signature));
    }

    private static byte[] extensions(boolean authority, List<String> namesAndAddresses) {
        byte[] constraints = authority ? element(SEQUENCE, TRUE) : element(SEQUENCE);
        byte[] basic = element(SEQUENCE, BASIC_CONSTRAINTS, TRUE, element(OCTET_STRING, constraints));
        if (namesAndAddresses.isEmpty()) {
            return element(EXTENSIONS, element(SEQUENCE, basic));
        }
        byte[][] names = namesAndAddresses.stream().map(DerWriter::alternative).toArray(byte[][]::new);
        byte[] alternatives = element(SEQUENCE, ALTERNATIVE_NAMES, element(OCTET_STRING, element(SEQUENCE, names)));
        return element(EXTENSIONS, element(SEQUENCE, basic, alternatives));
    }

    /** A name, or an IPv4 address. */
    private static byte[] alternative(String nameOrAddress) {
        if (!nameOrAddress.matches("\\d+(\\.\\d+){3}")) {
            return element(DNS_NAME, nameOrAddress.getBytes(StandardCharsets.US_ASCII));
        }
        String[] numbers = nameOrAddress.split("\\.", -1);
        byte[] address = new byte[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            address[i] = (byte) Integer.parseInt(numbers[i]);
        }
        return element(IP_ADDRESS, address);
    }

    private static byte[] name(String commonName) {
        byte[] text = element(TEXT, commonName.getBytes(StandardCharsets.UTF_8));
        return element(SEQUENCE, element(SET, element(SEQUENCE, COMMON_NAME, text)));
    }

    private static byte[] time(Instant instant) {
        return element(UTC_TIME, TIME.format(instant).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] element(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        element.write(tag);
        if (content.size() >= 0x100) {
            element.write(0x82);
            element.write(content.size() >> 8);
        } else if (content.size() >= 0x80) {
            element.write(0x81);
        }
        element.write(content.size());
        element.writeBytes(content.toByteArray());
        return element.toByteArray();
    }
}
