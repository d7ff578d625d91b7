package io.holdfast.lock.options;

import io.holdfast.lock.AddressMapper;
import io.holdfast.lock.NodeAddress;
import io.holdfast.lock.ReplicaWait;
import io.holdfast.lock.text.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How the text of one kind of value is read, and what is expected of it. */
final class TextForm<T> {

    static final TextForm<Duration> TIME = of(Durations.EXPECTED, Durations::parse);
    static final TextForm<Integer> NUMBER = of("a whole number", TextForm::number);
    static final TextForm<Boolean> YES_OR_NO = of("true or false", TextForm::yesOrNo);

    /** Taken as it is, with blanks at its ends: builders say what they think of those. */
    static final TextForm<String> TEXT = new TextForm<>("a text", false, text -> text);

    /** An address, which may hold a password. */
    static final TextForm<String> ADDRESS = new TextForm<>("an address", true, text -> text);

    /** A user or a password. A user is not shown either: the password may stand there by mistake. */
    static final TextForm<String> SECRET = new TextForm<>("a text that is not empty", true, TextForm::notEmpty);

    static final TextForm<Path> FILE = new TextForm<>("the path of a file", false, text -> Path.of(notEmpty(text)));
    static final TextForm<String[]> WORDS = of("words with blanks or commas between", text -> text.split("[\\s,]+"));

    static final TextForm<ReplicaWait> REPLICAS =
            of("a number of replicas and how long they have, as in 1 within 100 ms", TextForm::replicas);

    /** Announced and reachable addresses. They are not shown either: a user may write one with a password. */
    static final TextForm<AddressMapper> MAPPER = new TextForm<>(
            "announced=reachable, as in 10.0.0.5:6379=localhost:16379, with commas between several",
            true,
            TextForm::mapper);

    private static final String NONE = "none";

    private final String expected;
    private final boolean secret;
    private final Function<String, T> reader;

    private TextForm(String expected, boolean secret, Function<String, T> reader) {
        this.expected = expected;
        this.secret = secret;
        this.reader = reader;
    }

    private static <T> TextForm<T> of(String expected, Function<String, T> reader) {
        return new TextForm<>(expected, false, text -> reader.apply(text.strip()));
    }

    /** One of a few names, in upper or lower case. */
    static <E extends Enum<E>> TextForm<E> oneOf(Class<E> type) {
        String names = Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "));
        return of("one of " + names, text -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT)));
    }

    /** The same, or {@code none}, which takes a value back. */
    TextForm<Optional<T>> orNone() {
        return new TextForm<>(
                expected + "; or " + NONE,
                secret,
                text -> text.strip().equalsIgnoreCase(NONE) ? Optional.empty() : Optional.of(read(text)));
    }

    /**
     * The value.
     *
     * @throws IllegalArgumentException if the text is not of this form; what it says may quote the text
     */
    T read(String text) {
        return reader.apply(text);
    }

    String expected() {
        return expected;
    }

    /** Whether a text of this form may hold a secret, so that it must not be quoted. */
    boolean isSecret() {
        return secret;
    }

    private static String notEmpty(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("empty");
        }
        return text;
    }

    private static Integer number(String text) {
        if (!text.matches("-?[0-9]+")) {
            throw new NumberFormatException("not digits of ASCII");
        }
        return Integer.valueOf(text);
    }

    private static ReplicaWait replicas(String text) {
        String[] parts = text.split("\\s+within\\s+", 2);
        if (parts.length < 2) {
            throw new IllegalArgumentException("no number within a time");
        }
        return new ReplicaWait(number(parts[0]), Durations.parse(parts[1]));
    }

    private static AddressMapper mapper(String text) {
        Map<NodeAddress, NodeAddress> reachable = new LinkedHashMap<>();
        for (String pair : text.split(",", -1)) {
            String[] sides = pair.split("=", -1);
            if (sides.length != 2
                    || reachable.put(NodeAddress.parse(sides[0].strip()), NodeAddress.parse(sides[1].strip()))
                            != null) {
                throw new IllegalArgumentException("no pair, or one announced address twice");
            }
        }
        return AddressMapper.of(reachable);
    }

    private static Boolean yesOrNo(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("neither true nor false");
        };
    }
}
