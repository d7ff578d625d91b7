package io.holdfast.lock.options;

import io.holdfast.lock.text.NearestName;
import io.holdfast.lock.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@code .properties} file of options, in UTF-8.
 *
 * <p>What it holds is never quoted, not even a name that is unknown: a password that was broken over two lines would be one.
 */
final class PropertiesFile {

    static final int LARGEST_BYTES = 64 << 10;

    private static final String BYTE_ORDER_MARK = "\ufeff";

    private final String shown;
    private final Map<String, OptionText> given = new LinkedHashMap<>();
    private final Map<String, Integer> lines = new LinkedHashMap<>();

    private PropertiesFile(Path path) {
        this.shown = "file '" + Printable.of(path) + "'";
    }

    /**
     * What a file says, by the names of the options.
     *
     * @throws IllegalArgumentException if it can't be read, is malformed, or names an option that is unknown or named before
     */
    static Map<String, OptionText> read(Path path) {
        PropertiesFile file = new PropertiesFile(path);
        String text = file.decoded(file.bytes(path));
        for (PropertyLine line : file.lines(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text)) {
            file.take(line);
        }
        return file.given;
    }

    private byte[] bytes(Path path) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                throw unusable("it is a directory", null);
            }
            // A pipe would keep its reader waiting for as long as its writer likes.
            if (!attributes.isRegularFile()) {
                throw unusable("it is no regular file", null);
            }
            if (attributes.size() > LARGEST_BYTES) {
                throw unusable("it has " + attributes.size() + " bytes", null);
            }
            try (InputStream in = Files.newInputStream(path)) {
                byte[] bytes = in.readNBytes(LARGEST_BYTES + 1);
                if (bytes.length > LARGEST_BYTES) {
                    throw unusable("it has more than " + LARGEST_BYTES + " bytes", null);
                }
                return bytes;
            }
        } catch (NoSuchFileException missing) {
            throw unusable("it is not there", missing);
        } catch (IOException unreadable) {
            throw unusable("it can't be read", unreadable);
        }
    }

    private String decoded(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw unusable("it is not UTF-8", notText);
        }
    }

    private List<PropertyLine> lines(String text) {
        try {
            return PropertyLine.in(text);
        } catch (PropertyLine.MalformedException malformed) {
            throw complaint(malformed.number(), malformed.fault());
        }
    }

    private void take(PropertyLine line) {
        if (OptionTable.row(line.name()).isEmpty()) {
            List<String> known = OptionTable.ROWS.stream().map(OptionRow::name).toList();
            throw complaint(
                    line.number(),
                    "unknown option, and not shown (" + NearestName.hint(line.name(), known, OptionTexts.LISTED) + ")");
        }
        Integer earlier = lines.putIfAbsent(line.name(), line.number());
        if (earlier != null) {
            throw complaint(
                    line.number(), line.name() + ": given twice (expected: once; it is in line " + earlier + ")");
        }
        given.put(line.name(), new OptionText(line.value(), shown + ", line " + line.number()));
    }

    private IllegalArgumentException complaint(int number, String fault) {
        return new IllegalArgumentException(Printable.message(shown + ", line " + number + ": " + fault));
    }

    private IllegalArgumentException unusable(String fault, @Nullable Exception cause) {
        return new IllegalArgumentException(
                Printable.message(shown + ": " + fault + " (expected: a .properties file in UTF-8 of at most "
                        + LARGEST_BYTES + " bytes)"),
                cause);
    }
}
