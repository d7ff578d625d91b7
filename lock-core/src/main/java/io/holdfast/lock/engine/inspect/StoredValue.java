package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.FencedValue;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Slots;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.spi.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;

/** A fenced value in Redis. */
public final class StoredValue implements FencedValue {

    /** No token at all: the read leaves no trace. */
    private static final long JUST_LOOK = 0;

    private final ClientFacts facts;
    private final Exchanges exchanges;
    private final String name;
    private final byte[] key;
    private final int slot;

    public StoredValue(ClientFacts facts, Exchanges exchanges, String name, String prefix) {
        this.facts = facts;
        this.exchanges = exchanges;
        this.name = name;
        this.key = LockKeys.fencedKey(name, prefix);
        this.slot = Slots.of(key);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean set(String value, long fencingToken) {
        Query<Boolean> question = setting(value, fencingToken);
        return question.ask(new Parked<>(facts.runtime().blocker(), "set")).await();
    }

    @Override
    public RFuture<Boolean> setAsync(String value, long fencingToken) {
        return setting(value, fencingToken)
                .ask(Promise.<Boolean>of(facts.callbacks()))
                .future();
    }

    @Override
    public Optional<String> get() {
        return getting(JUST_LOOK)
                .ask(new Parked<>(facts.runtime().blocker(), "get"))
                .await();
    }

    @Override
    public Optional<String> get(long fencingToken) {
        return getting(checked(fencingToken))
                .ask(new Parked<>(facts.runtime().blocker(), "get"))
                .await();
    }

    @Override
    public RFuture<Optional<String>> getAsync() {
        return getAsync(getting(JUST_LOOK));
    }

    @Override
    public RFuture<Optional<String>> getAsync(long fencingToken) {
        return getAsync(getting(checked(fencingToken)));
    }

    private RFuture<Optional<String>> getAsync(Query<Optional<String>> question) {
        return question.ask(Promise.<Optional<String>>of(facts.callbacks())).future();
    }

    private static long checked(long fencingToken) {
        if (fencingToken <= 0) {
            throw new IllegalArgumentException("fencingToken: " + fencingToken + " (expected: > 0)");
        }
        return fencingToken;
    }

    private Query<Boolean> setting(String value, long fencingToken) {
        long token = checked(fencingToken);
        byte[] bytes = Objects.requireNonNull(value, "value").getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MAX_BYTES) {
            throw Failures.tooLong(name, facts.node(), bytes.length);
        }
        return new Query<>(
                        facts,
                        exchanges,
                        facts.stores().get(0),
                        name,
                        Scripts.FENCED_SET,
                        slot,
                        out -> out.key(key).arg(token).arg(bytes),
                        reply -> reply.integer() == 1)
                .thatWrites();
    }

    private Query<Optional<String>> getting(long fencingToken) {
        return new Query<>(
                facts,
                exchanges,
                facts.stores().get(0),
                name,
                Scripts.FENCED_GET,
                slot,
                out -> out.key(key).arg(fencingToken).arg(MAX_BYTES),
                this::read);
    }

    /** The value, or its length in a list if it is too long. */
    private Optional<String> read(Reply reply) {
        if (reply.size() > 0) {
            throw Failures.tooLong(name, facts.node(), reply.integer(0));
        }
        return Optional.ofNullable(reply.isNull() ? null : reply.text());
    }
}
