package io.holdfast.lock.tests.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Errors that the engine caught and could only log: nobody else would ever hear of them. */
final class SwallowedErrors extends AppenderBase<ILoggingEvent> {

    private static final ThreadLocal<@Nullable String> FIRST = new ThreadLocal<>();

    static {
        Logger library = (Logger) LoggerFactory.getLogger("io.holdfast");
        library.setLevel(Level.ERROR);
        library.setAdditive(false);
        SwallowedErrors appender = new SwallowedErrors();
        appender.setContext(library.getLoggerContext());
        appender.start();
        library.addAppender(appender);
    }

    private SwallowedErrors() {}

    /** Forgets what this thread has logged so far. */
    static void forget() {
        FIRST.remove();
    }

    /** The first error that this thread has logged since; null if there was none. */
    static @Nullable String first() {
        return FIRST.get();
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (FIRST.get() == null && event.getLevel().isGreaterOrEqual(Level.ERROR)) {
            IThrowableProxy cause = event.getThrowableProxy();
            FIRST.set(event.getFormattedMessage() + (cause == null ? "" : ": " + describe(cause)));
        }
    }

    private static String describe(IThrowableProxy cause) {
        StringBuilder text =
                new StringBuilder(cause.getClassName()).append(": ").append(cause.getMessage());
        Iterator<?> frames =
                java.util.Arrays.asList(cause.getStackTraceElementProxyArray()).iterator();
        for (int i = 0; i < 3 && frames.hasNext(); i++) {
            text.append(' ').append(frames.next());
        }
        return text.toString();
    }
}
