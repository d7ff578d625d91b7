package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Identity;
import io.holdfast.lock.engine.key.RecordKey;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.ScriptCall;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * This client's record under one prefix at one store. Nothing is repeated: the next renewal is the next try. But for the answers,
 * all of this belongs to the steps of {@link ClientRecords}.
 */
final class ClientRecord {

    private static final long REMOVE = 0;

    private final ClientRecords records;
    private final ClientFacts facts;
    private final Store store;
    private final RecordKey key;

    /** Whether a record may be there. */
    private boolean written;
    /** Whether the store has said that it will have none. */
    private volatile boolean refused;

    ClientRecord(ClientRecords records, ClientFacts facts, Store store, RecordKey key) {
        this.records = records;
        this.facts = facts;
        this.store = store;
        this.key = key;
    }

    void write(Identity own) {
        if (!refused && store.isUp()) {
            written = true;
            store.backend().send(new Call(own, () -> {}));
        }
    }

    /** Completes when the store has answered; at once where there is nothing to remove, or no connection. */
    CompletableFuture<Void> remove() {
        CompletableFuture<Void> answered = new CompletableFuture<>();
        if (written && !refused && store.isUp()) {
            store.backend().send(new Call(null, () -> answered.complete(null)));
        } else {
            answered.complete(null);
        }
        return answered;
    }

    private void refuse(String detail) {
        if (!refused) {
            refused = true;
            records.refused(store, detail);
        }
    }

    private final class Call extends ScriptCall {

        private final @Nullable Identity own;
        private final Runnable ended;

        /** @param own what is written; null to remove the record */
        Call(@Nullable Identity own, Runnable ended) {
            super(Scripts.RECORD, key.slot, facts.nanos(), facts.nanos() + facts.commandNanos());
            this.own = own;
            this.ended = ended;
        }

        @Override
        public void encode(Args out) {
            out.key(key.bytes);
            if (own == null) {
                out.arg(REMOVE);
                return;
            }
            out.arg(ClientRecords.LIFE_MILLIS);
            write(out, "application", own.application());
            write(out, "host", own.host());
            write(out, "process", Long.toString(own.processId()));
            write(out, "version", own.version());
            write(out, "since", own.since().toString());
        }

        private void write(Args out, String field, String text) {
            out.arg(field.getBytes(StandardCharsets.UTF_8)).arg(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void onOverdue() {
            ended.run();
        }

        @Override
        public void onReply(Reply reply) {
            if (reply.integer() == 0) {
                refuse("the key holds something else");
            }
            ended.run();
        }

        @Override
        public void onFault(Fault fault) {
            if (fault.kind() == Fault.Kind.NOPERM) {
                refuse(fault.detail());
            }
            ended.run();
        }
    }
}
