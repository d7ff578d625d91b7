package io.holdfast.lock.tests.support;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/** The library's loggers, which throw at every warning and error while this is open. */
public final class BrokenLogger implements AutoCloseable {

    private final AtomicInteger lines = new AtomicInteger();
    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final TurboFilter filter = new TurboFilter() {
        @Override
        public FilterReply decide(
                Marker marker, Logger asked, Level level, String format, Object[] params, Throwable thrown) {
            if (asked.getName().startsWith("io.holdfast.lock.engine") && level.isGreaterOrEqual(Level.WARN)) {
                lines.incrementAndGet();
                throw new InternalError("on purpose: no room for a line");
            }
            return FilterReply.NEUTRAL;
        }
    };

    public BrokenLogger() {
        context.addTurboFilter(filter);
    }

    /** How many lines were not written. */
    public int lines() {
        return lines.get();
    }

    @Override
    public void close() {
        context.getTurboFilterList().remove(filter);
    }
}
