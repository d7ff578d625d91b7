package io.holdfast.lock.tests.support;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What the library logs while this is open: from INFO on, unless a test wants more. */
public final class LibraryLog implements AutoCloseable {

    private final Logger library = (Logger) LoggerFactory.getLogger("io.holdfast.lock");
    private final @Nullable Level levelBefore = library.getLevel();
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            event.prepareForDeferredProcessing();
            events.add(event);
        }
    };

    public LibraryLog() {
        this(Level.INFO);
    }

    /** With the lines of other levels. */
    public LibraryLog(Level lowest) {
        appender.setContext(library.getLoggerContext());
        appender.start();
        library.addAppender(appender);
        library.setLevel(lowest);
    }

    /** Every line, of all levels, with what is told of its exception. */
    public List<String> everything() {
        return events.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage() + " "
                        + (event.getThrowableProxy() == null
                                ? ""
                                : ThrowableProxyUtil.asString(event.getThrowableProxy())))
                .toList();
    }

    /** The lines that have this in them, of all levels, each after its level. */
    public List<String> lines(String part) {
        return events.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .filter(line -> line.contains(part))
                .toList();
    }

    @Override
    public void close() {
        library.detachAppender(appender);
        library.setLevel(levelBefore);
    }
}
