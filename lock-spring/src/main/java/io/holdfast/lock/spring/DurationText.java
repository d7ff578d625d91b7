package io.holdfast.lock.spring;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.regex.Pattern;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.env.Environment;

/** Durations as they are written in annotations and properties, checked. As elsewhere in Spring, {@code 5m} are minutes. */
final class DurationText {

    static final String WAIT_PROPERTY = "holdfast.locked.wait";
    static final Duration DEFAULT_WAIT = Duration.ofSeconds(10);
    private static final Pattern MINUTES = Pattern.compile("[0-9]{1,9} *m");
    private static final Duration LONGEST = Duration.ofDays(365);

    private DurationText() {}

    /** What the property says. An environment that converts durations, as Spring Boot's does, reads it as it reads others. */
    static Duration defaultWait(Environment environment) {
        String text = environment.getProperty(WAIT_PROPERTY);
        if (text == null) {
            return DEFAULT_WAIT;
        }
        try {
            Duration converted = environment.getProperty(WAIT_PROPERTY, Duration.class, DEFAULT_WAIT);
            return within(WAIT_PROPERTY, converted, Duration.ZERO);
        } catch (ConversionException ours) {
            return wait(WAIT_PROPERTY, text);
        }
    }

    /** @param where what it is for, for messages */
    static Duration wait(String where, String text) {
        return within(where, parsed(where, text), Duration.ZERO);
    }

    static Duration lease(String where, String text) {
        return within(where, parsed(where, text), LockOptions.MIN_LEASE);
    }

    static Duration within(String where, Duration duration, Duration shortest) {
        if (duration.compareTo(shortest) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(Printable.message(where + ": " + Durations.of(duration)
                    + " (expected: from " + Durations.of(shortest) + " to " + Durations.of(LONGEST) + ")"));
        }
        return duration;
    }

    private static Duration parsed(String where, String text) {
        try {
            String written = text.strip();
            return Durations.parse(MINUTES.matcher(written).matches() ? written + "in" : written);
        } catch (IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(Printable.message(where + ": " + unreadable.getMessage()), unreadable);
        }
    }
}
