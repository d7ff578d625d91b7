package io.holdfast.lock.tests.support;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What the library logs from INFO on while this is open. */
public final class LibraryLog implements AutoCloseable {

    private final Logger library = (Logger) LoggerFactory.getLogger("io.holdfast.lock");
    private final @Nullable Level levelBefore = library.getLevel();
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }
    };

    public LibraryLog() {
        appender.setContext(library.getLoggerContext());
        appender.start();
        library.addAppender(appender);
        library.setLevel(Level.INFO);
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
