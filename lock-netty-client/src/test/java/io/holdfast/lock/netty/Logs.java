package io.holdfast.lock.netty;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** Everything that is logged while this is open, from TRACE on. */
public final class Logs implements AutoCloseable {

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level levelBefore = root.getLevel();
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            event.prepareForDeferredProcessing();
            events.add(event);
        }
    };

    public Logs() {
        root.setLevel(Level.TRACE);
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
    }

    /** Lines of the library's own at a level, without stack traces. */
    public List<String> ours(Level level) {
        return events.stream()
                .filter(event ->
                        event.getLevel() == level && event.getLoggerName().startsWith("io.holdfast"))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** Every line of everybody, with stack traces. */
    public Stream<String> everything() {
        return events.stream()
                .map(event -> event.getLevel() + " " + event.getLoggerName() + " " + event.getFormattedMessage() + " "
                        + (event.getThrowableProxy() == null
                                ? ""
                                : ThrowableProxyUtil.asString(event.getThrowableProxy())));
    }

    @Override
    public void close() {
        root.detachAppender(appender);
        root.setLevel(levelBefore);
    }
}
