package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.QueueClient.Call;
import io.holdfast.lock.tests.models.QueueClient.Exchange;
import io.holdfast.lock.tests.models.QueueClient.Phase;
import io.holdfast.lock.tests.models.QueueClient.Request;
import io.holdfast.lock.tests.models.QueueServer.Field;
import io.holdfast.lock.tests.models.QueueServer.Grant;
import io.holdfast.lock.tests.models.QueueServer.Held;
import io.holdfast.lock.tests.models.QueueServer.Message;
import io.holdfast.lock.tests.models.QueueServer.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The server, the clients, and a bystander. The step that makes a state changes its own copy of the state before, and
 * nothing does afterwards.
 */
final class QueueState {
    final QueueServer server;
    final QueueWitness witness;
    final List<QueueClient> clients = new ArrayList<>();

    // What may still happen.
    int leavings;
    int reconnects;
    int drops;
    int crashes;
    int restarts;
    int pauses;
    int resizes;
    int extensions;

    QueueState(Set<QueueRule> rules, QueueScope scope) {
        witness = new QueueWitness(scope);
        server = new QueueServer(rules, scope, witness);
        for (int client = 0; client < scope.clients(); client++) {
            clients.add(new QueueClient(rules, scope));
        }
        for (int call = 0; call < scope.wants.size(); call++) {
            clients.get(scope.clientOf(call)).calls.add(new Call(call));
        }
        leavings = scope.leavings;
        reconnects = scope.reconnects;
        drops = scope.drops;
        crashes = scope.crashes;
        restarts = scope.restarts;
        pauses = scope.pauses;
        resizes = scope.resized == scope.limit ? 0 : 1;
        extensions = scope.extension == 0 ? 0 : 1;
    }

    QueueState(QueueState other) {
        witness = new QueueWitness(other.witness);
        server = new QueueServer(other.server, witness);
        other.clients.forEach(client -> clients.add(new QueueClient(client)));
        leavings = other.leavings;
        reconnects = other.reconnects;
        drops = other.drops;
        crashes = other.crashes;
        restarts = other.restarts;
        pauses = other.pauses;
        resizes = other.resizes;
        extensions = other.extensions;
    }

    /** All calls, of living clients or not. */
    List<Call> calls() {
        return clients.stream().flatMap(client -> client.calls.stream()).toList();
    }

    /** Whether anything may be sent again. */
    boolean mayReconnect() {
        return reconnects + restarts > 0;
    }

    /** Forgets what can't matter any more, so that there are fewer states. */
    void forgetWhatIsOver() {
        clients.forEach(QueueClient::forgetWhatIsOver);
        server.forgetWhatIsOver();
        witness.forgetWhatIsOver();
    }

    /** The server publishes what the script that has just run has to say. */
    void publish() {
        Message message = server.published;
        server.published = null;
        if (message != null) {
            clients.stream()
                    .filter(client -> client.listens)
                    .forEach(client -> client.news = Lists.appended(client.news, message));
        }
    }

    // The identity: everything that is remembered, in a short text.

    String identity() {
        Letters letters = new Letters();
        letters.add(leavings, reconnects, drops, crashes, restarts, pauses, resizes, extensions);
        letters.add(server);
        letters.add(witness);
        clients.forEach(letters::add);
        return letters.text.toString();
    }

    private static final class Letters {
        private final StringBuilder text = new StringBuilder();

        void add(int... numbers) {
            for (int number : numbers) {
                text.append((char) (number + 1));
            }
        }

        void add(boolean... truths) {
            int bits = 0;
            for (boolean truth : truths) {
                bits = 2 * bits + (truth ? 1 : 0);
            }
            add(bits);
        }

        void add(QueueServer server) {
            add(server.hashLeft, server.limit, server.surplus, server.clock);
            add(server.seen);
            add(server.writer == null ? List.of() : List.of(server.writer), this::add);
            add(server.shared, this::add);
            add(server.queue, this::add);
        }

        void add(QueueWitness witness) {
            add(witness.idle, witness.epoch, witness.grants, witness.touched, witness.seen, witness.seenOfWriters);
            add(witness.isPassed, witness.isStuck, witness.isLateWrite);
            add(witness.silent);
            add(witness.missed);
            add(witness.absent);
            add(witness.asked);
            add(witness.away);
            add(witness.gone);
            add(witness.order, this::add);
        }

        void add(QueueClient client) {
            add(client.alive, client.subscribes, client.listens);
            add(client.paused, client.poll, client.look, client.deputy);
            client.calls.forEach(this::add);
            add(client.link, this::add);
            add(client.late, this::add);
            add(client.news, this::add);
        }

        private void add(Call call) {
            add(call.phase.ordinal(), call.field, call.place, call.units, call.passed);
            add(call.first, call.permit, call.touches, call.besideQueue, call.queued);
            add(call.phase == Phase.ASKING ? call.age : call.valid, call.extended);
            add(call.grant);
        }

        private void add(Grant grant) {
            add(grant.epoch(), grant.number(), grant.token());
        }

        private void add(Held held) {
            add(held.field());
            add(held.unit(), held.left(), held.reserved() ? 1 : 0);
        }

        private void add(@Nullable Field field) {
            add(field == null ? -1 : field.call(), field == null ? 0 : field.number());
        }

        private void add(Exchange exchange) {
            add(exchange.request());
            Reply reply = exchange.reply();
            add(reply == null ? List.of() : List.of(reply), this::add);
        }

        private void add(Request request) {
            add(request.kind().ordinal(), request.unit(), request.first() ? 1 : 0);
            add(request.field());
            add(request.other());
        }

        private void add(Reply reply) {
            add(reply.granted(), reply.anew());
            add(reply.left(), reply.place());
            add(reply.grant());
        }

        private void add(Message message) {
            add(message.told(), this::add);
            add(message.deputy());
        }

        private <T> void add(List<T> parts, Consumer<? super T> each) {
            add(parts.size());
            parts.forEach(each);
        }
    }

    /** For those who read a counterexample. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                "server: writer %s, hash %d, shared %s, queue %s, seen %s, limit %d%n",
                server.writer,
                server.hashLeft,
                server.shared,
                server.queue,
                Arrays.toString(server.seen),
                server.limit));
        text.append(String.format(
                "bystander: order %s, idle %d, missed %s, epoch %d%n",
                witness.order, witness.idle, Arrays.toString(witness.missed), witness.epoch));
        for (QueueClient client : clients) {
            text.append(String.format(
                    "client%s: poll %d, look %d, deputy %d, listens %s, link %s, late %s, news %s%n",
                    client.alive ? "" : " (dead)",
                    client.poll,
                    client.look,
                    client.deputy,
                    client.listens,
                    client.link,
                    client.late,
                    client.news));
            for (Call call : client.calls) {
                text.append(String.format(
                        "  call %s: %s, place %d, valid %d, units %d, permit %s%n",
                        call.field(),
                        call.phase.name().toLowerCase(Locale.ROOT),
                        call.place,
                        call.valid,
                        call.units,
                        call.permit));
            }
        }
        return text.toString();
    }
}
