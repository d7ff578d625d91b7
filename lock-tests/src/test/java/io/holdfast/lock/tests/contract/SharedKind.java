package io.holdfast.lock.tests.contract;

import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.engine.kind.Verb;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A second kind of lock, which shows that the engine's two axes hold: many owners share it, and plain locks of its name
 * exclude them all. Its holders are fields of the plain lock's hash with a mark at their end, and each has a lease of its
 * own.
 */
final class SharedKind extends Reentrant {

    static final LockKind KIND = new SharedKind();

    /** Each holder has a deadline, beside the lock; those whose deadline is over are dropped before anything is decided. */
    private static final String SHARING =
            """
            local function micros()
              local time = redis.call('TIME')
              return time[1] * 1000000 + time[2]
            end

            local function last_deadline(lock)
              local last = 0
              for _, deadline in ipairs(redis.call('HVALS', lock .. ':until')) do
                last = math.max(last, tonumber(deadline))
              end
              return last
            end

            -- The time, by the lock's own end: the contract counts acquisitions by their questions for the time.
            local function micros_of(lock)
              local left, last = redis.call('PTTL', lock), last_deadline(lock)
              return left >= 0 and last > 0 and (last - left) * 1000 or micros()
            end

            -- The lock lives as long as the last of those who share it, if any do.
            local function seal(lock)
              local last = last_deadline(lock)
              if last > 0 then
                redis.call('PEXPIREAT', lock, last)
                redis.call('PEXPIREAT', lock .. ':until', last)
              elseif redis.call('HLEN', lock) == redis.call('HEXISTS', lock, 'token') then
                redis.call('DEL', lock)
              end
            end

            local function sweep(lock, now)
              local deadlines = redis.call('HGETALL', lock .. ':until')
              for i = 1, #deadlines, 2 do
                if tonumber(deadlines[i + 1]) <= now / 1000 or redis.call('HEXISTS', lock, deadlines[i]) == 0 then
                  redis.call('HDEL', lock, deadlines[i])
                  redis.call('HDEL', lock .. ':until', deadlines[i])
                end
              end
              seal(lock)
            end

            local function excluding(lock, field)
              for _, other in ipairs(redis.call('HKEYS', lock)) do
                if other ~= 'token' and other ~= field and string.sub(other, -1) ~= '~' then
                  return other
                end
              end
            end

            local function keep(lock, field, count, lease, now)
              local deadline = math.floor(now / 1000) + lease
              local earlier = tonumber(redis.call('HGET', lock .. ':until', field) or '0')
              redis.call('HSET', lock, field, count)
              redis.call('HSET', lock .. ':until', field, string.format('%.0f', math.max(deadline, earlier)))
              seal(lock)
            end
            """;

    private static final Script ACQUIRE = script(
            "shared-acquire",
            """
            local lock, field, now = KEYS[1], ARGV[1], micros()
            sweep(lock, now)
            if excluding(lock, field) then
              return {0, redis.call('PTTL', lock)}
            end
            local token, stored = mint(ARGV[4])
            redis.call('HSET', lock, 'token', stored)
            keep(lock, field, '1', ARGV[2], now)
            return {1, token}
            """);

    private static final Script REENTER = urgent(
            "shared-reenter",
            """
            local lock, field, now = KEYS[1], ARGV[1], micros_of(KEYS[1])
            sweep(lock, now)
            if redis.call('HEXISTS', lock, field) == 0 then
              return 0
            end
            keep(lock, field, ARGV[2], ARGV[3], now)
            return 1
            """);

    private static final Script RENEW = urgent(
            "shared-renew",
            """
            local answers = {}
            for i, lock in ipairs(KEYS) do
              local field, now = ARGV[2 * i - 1], micros_of(lock)
              sweep(lock, now)
              answers[i] = redis.call('HEXISTS', lock, field)
              if answers[i] == 1 then
                keep(lock, field, redis.call('HGET', lock, field), ARGV[2 * i], now)
              end
            end
            return answers
            """);

    private static final Script RELEASE = urgent(
            "shared-release",
            """
            local lock, field, count = KEYS[1], ARGV[1], ARGV[2]
            if redis.call('HEXISTS', lock, field) == 0 then
              redis.call('HDEL', lock .. ':until', field)
              return {0, 0}
            end
            if count ~= '0' then
              redis.call('HSET', lock, field, count)
              return {1, 0}
            end
            redis.call('HDEL', lock, field)
            redis.call('HDEL', lock .. ':until', field)
            sweep(lock, micros_of(lock))
            return {1, tell(ARGV[3])}
            """);

    private static final Script PROPOSE = script(
            "shared-propose",
            """
            local lock, clock, field, now = KEYS[1], KEYS[2], ARGV[1], micros()
            sweep(lock, now)
            local other = excluding(lock, field)
            if other then
              return {0, redis.call('PTTL', lock), now, other}
            end
            local token, last = tonumber(ARGV[4]), tonumber(redis.call('GET', clock) or '0')
            if token <= last or token < now or token > now + tonumber(ARGV[5]) then
              token = math.max(last + 1, now)
            end
            redis.call('SET', clock, digits(token))
            redis.call('HSET', lock, 'token', digits(token))
            keep(lock, field, '1', ARGV[2], now)
            return {1, token, now}
            """);

    private static final Script JOIN = urgent(
            "shared-join",
            """
            local lock, clock, field, now = KEYS[1], KEYS[2], ARGV[1], micros_of(KEYS[1])
            sweep(lock, now)
            if excluding(lock, field) then
              return {0, redis.call('PTTL', lock)}
            end
            local token, last = tonumber(ARGV[5]), tonumber(redis.call('GET', clock) or '0')
            if token > last then
              redis.call('SET', clock, digits(token))
            end
            redis.call('HSET', lock, 'token', digits(math.max(token, last)))
            keep(lock, field, ARGV[2], ARGV[3], now)
            return {1, 0}
            """);

    private SharedKind() {}

    private static Script script(String name, String text) {
        return new Script(name, behindCommon(text));
    }

    /** Its keys are the lock, the token clock and Redisson's counter, in this order. */
    private static String behindCommon(String text) {
        try (InputStream common = Script.class.getResourceAsStream("/io/holdfast/lock/engine/common.lua")) {
            String shared = new String(common.readAllBytes(), StandardCharsets.UTF_8);
            return (shared + "\n" + SHARING + text)
                    .replace("KEYS.lock", "KEYS[1]")
                    .replace("KEYS.clock", "KEYS[2]")
                    .replace("KEYS.counter", "KEYS[3]");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Script urgent(String name, String text) {
        return Script.urgent(name, behindCommon(text));
    }

    @Override
    public Script script(Verb verb) {
        return switch (verb) {
            case ACQUIRE -> ACQUIRE;
            case REENTER -> REENTER;
            case RENEW -> RENEW;
            case RELEASE -> RELEASE;
            case PROPOSE -> PROPOSE;
            case JOIN -> JOIN;
            default -> super.script(verb);
        };
    }

    @Override
    protected Args writeField(Fields fields, byte[] field, Args out) {
        byte[] marked = Arrays.copyOf(field, field.length + 1);
        marked[field.length] = '~';
        return super.writeField(fields, marked, out);
    }

    @Override
    public boolean isTransferable() {
        return false;
    }

    @Override
    public boolean excludes(LockKind other) {
        return other != this;
    }

    @Override
    public boolean includes(LockKind other) {
        return other == this;
    }

    @Override
    public String toString() {
        return "shared";
    }
}
