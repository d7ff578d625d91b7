package io.holdfast.lock.engine;

import io.holdfast.lock.LockInfo;
import io.holdfast.lock.spi.Reply;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** Looks at a lock on the server, and at what this client knows of it. */
final class Inspection {

    private static final int FIRST_FIELD = 2;
    private static final String TOKEN_FIELD = "token";

    private final Engine engine;
    private final LockNames names;

    Inspection(Engine engine, LockNames names) {
        this.engine = engine;
        this.names = names;
    }

    /** Everything there is to know. */
    Question<LockInfo> everything() {
        return question(this::read);
    }

    /** Milliseconds until the lease runs out; -2 if nobody holds the lock, -1 if it has no lease. */
    Question<Long> timeToLive() {
        return question(reply -> reply.integer(0));
    }

    Question<Boolean> isLocked() {
        return question(reply -> reply.integer(0) != -2);
    }

    private <T> Question<T> question(Function<Reply, T> answer) {
        return new Question<>(
                engine,
                names.name,
                Scripts.INSPECT,
                names.slot,
                out -> out.key(names.keyBytes).arg(names.channelBytes),
                answer);
    }

    private LockInfo read(Reply reply) {
        String holder = "";
        int count = 0;
        OptionalLong token = OptionalLong.empty();
        for (int i = FIRST_FIELD; i + 1 < reply.size(); i += 2) {
            String field = reply.text(i);
            if (TOKEN_FIELD.equals(field)) {
                token = OptionalLong.of(reply.integer(i + 1));
            } else if (field != null) {
                holder = field;
                count = (int) reply.integer(i + 1);
            }
        }
        long timeToLiveMillis = reply.integer(0);
        LockCell cell = engine.cellIfPresent(names);
        return new LockInfo(
                names.name,
                timeToLiveMillis != -2,
                holder.isEmpty() ? Optional.empty() : Optional.of(holder),
                token.isPresent() ? Optional.of(since(token.getAsLong())) : Optional.empty(),
                token,
                count,
                timeToLiveMillis >= 0 ? Optional.of(Duration.ofMillis(timeToLiveMillis)) : Optional.empty(),
                holder.startsWith(engine.clientId() + ':'),
                cell == null ? 0 : cell.loop.waiters(),
                Math.max(0, reply.integer(1)));
    }

    /** Tokens are the server's time in microseconds, unless many were given out within one. */
    private static Instant since(long token) {
        return Instant.EPOCH.plus(token, ChronoUnit.MICROS);
    }
}
