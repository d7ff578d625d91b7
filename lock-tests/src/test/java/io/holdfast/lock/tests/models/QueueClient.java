package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.QueueScope.Mode;
import io.holdfast.lock.tests.models.QueueServer.Field;
import io.holdfast.lock.tests.models.QueueServer.Grant;
import io.holdfast.lock.tests.models.QueueServer.Message;
import io.holdfast.lock.tests.models.QueueServer.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A client with its calls and its two connections. A working copy: only the step that makes a state changes it. */
final class QueueClient {
    /** No such time. */
    static final int NEVER = -1;

    /** Confirms a subscription. */
    static final Message CONFIRMATION = new Message(List.of(), new Field(NEVER, 0));

    enum Kind {
        JOIN,
        PART,
        EXTEND,
        ACQUIRE,
        RELEASE,
        TRANSFER
    }

    /**
     * @param unit which permit is released; {@link QueueServer#NONE}: all of the field
     * @param other the field by which the owner writes, or that receives a transfer
     */
    record Request(Kind kind, Field field, int unit, boolean first, @Nullable Field other) {
        /** Whether the client does anything when it is answered, but to note that. */
        boolean awaitsReply() {
            return kind != Kind.PART && kind != Kind.RELEASE;
        }
    }

    /** @param reply null until the server has executed the request */
    record Exchange(Request request, @Nullable Reply reply) {}

    enum Phase {
        TO_COME,
        ASKING,
        WAITING,
        HOLDING,
        OVER
    }

    /** A call, which acquires once. */
    static final class Call {
        final int number;
        Phase phase = Phase.TO_COME;

        /** Counts the fields that it has had. */
        int field;

        boolean first = true;

        /** Whether to ask again after a refusal. */
        boolean permit;

        /** How long ago it has asked. */
        int age;

        /** How many waited before it when it was refused; {@link #NEVER}: it was not yet. */
        int place = NEVER;

        /** How long it believes to hold. */
        int valid;

        /** How long it would believe so if the lease that it has asked for were confirmed now. */
        int extended;

        /** How many permits it has. */
        int units;

        Grant grant = Grant.NONE;

        /** Whether it may still touch the resource. */
        boolean touches;

        /** Of a plain call: whether the last message told of the queue, and whether it has taken a place there itself. */
        boolean besideQueue;

        boolean queued;

        /** How often it was told of the queue while it waited and had no place there; at most 2. */
        int passed;

        Call(int number) {
            this.number = number;
        }

        Call(Call other) {
            number = other.number;
            phase = other.phase;
            field = other.field;
            first = other.first;
            permit = other.permit;
            age = other.age;
            place = other.place;
            valid = other.valid;
            extended = other.extended;
            units = other.units;
            grant = other.grant;
            touches = other.touches;
            besideQueue = other.besideQueue;
            queued = other.queued;
            passed = other.passed;
        }

        /** It is over; the resource may still be touched. */
        void forget() {
            first = false;
            permit = false;
            age = 0;
            place = NEVER;
            valid = 0;
            extended = 0;
            units = 0;
            besideQueue = false;
            queued = false;
            passed = 0;
            grant = touches ? grant : Grant.NONE;
        }

        Field field() {
            return new Field(number, field);
        }

        boolean waits() {
            return phase == Phase.ASKING || phase == Phase.WAITING;
        }
    }

    private final Set<QueueRule> rules;
    private final QueueScope scope;
    final List<Call> calls = new ArrayList<>();
    boolean alive = true;

    /** How long it may still do nothing; {@link #NEVER}: it is not paused. */
    int paused = NEVER;

    /** What was sent and is not answered. */
    List<Exchange> link;

    /** What is left in the socket of an earlier connection. */
    List<Request> late;

    /** Whether a subscription is asked for, and whether the server has it. */
    boolean subscribes;

    boolean listens;

    /** Messages and confirmations on their way. */
    List<Message> news;

    /** When the oldest call asks: at the poll, at the known time to live, as deputy. */
    int poll = NEVER;

    int look = NEVER;
    int deputy = NEVER;

    QueueClient(Set<QueueRule> rules, QueueScope scope) {
        this.rules = rules;
        this.scope = scope;
        link = List.of();
        late = List.of();
        news = List.of();
    }

    QueueClient(QueueClient other) {
        rules = other.rules;
        scope = other.scope;
        other.calls.forEach(call -> calls.add(new Call(call)));
        alive = other.alive;
        paused = other.paused;
        link = other.link;
        late = other.late;
        subscribes = other.subscribes;
        listens = other.listens;
        news = other.news;
        poll = other.poll;
        look = other.look;
        deputy = other.deputy;
    }

    boolean acts() {
        return alive && paused == NEVER;
    }

    @Nullable
    Call oldest() {
        return calls.stream().filter(Call::waits).findFirst().orElse(null);
    }

    /** Whether the oldest call has to ask, as time has passed. */
    boolean isDue() {
        Call oldest = oldest();
        return oldest != null && oldest.phase == Phase.WAITING && (poll == 0 || look == 0 || deputy == 0);
    }

    // What it does.

    void ask(Call call) {
        call.phase = Phase.ASKING;
        call.permit = false;
        call.age = 0;
        if (!call.first && !rules.contains(QueueRule.KEEPS_FIELD)) {
            call.field++;
        }
        call.queued |= call.besideQueue && rules.contains(QueueRule.PLAIN_TAKES_PLACE);
        Field own = scope.wants.get(call.number).downgrades() ? before(call).field() : null;
        send(new Request(isPlain(call) ? Kind.ACQUIRE : Kind.JOIN, call.field(), 0, call.first, own));
        call.first = false;
        poll = scope.poll;
    }

    /** The call before it. */
    Call before(Call call) {
        return calls.get(calls.indexOf(call) - 1);
    }

    /** The oldest call asks, as it is time. */
    void look() {
        look = NEVER;
        deputy = NEVER;
        ask(oldest());
    }

    void extend(Call call) {
        call.extended = scope.extension;
        send(new Request(Kind.EXTEND, call.field(), 0, false, null));
    }

    void leave(Call call) {
        boolean parts = call.phase == Phase.HOLDING || rules.contains(QueueRule.LEAVES);
        boolean wasOldest = call == oldest();
        call.phase = Phase.OVER;
        if (parts) {
            part(call, QueueServer.NONE);
        }
        Call next = oldest();
        if (wasOldest && next != null && rules.contains(QueueRule.NEW_HEAD_ASKS)) {
            wake(next);
        }
    }

    private void part(Call call, int unit) {
        Kind kind = isPlain(call) ? Kind.RELEASE : Kind.PART;
        send(new Request(kind, call.field(), unit, false, null));
    }

    /** A hold ends, or one of its permits is given back. */
    void release(Call call) {
        Call next = oldest();
        if (!rules.contains(QueueRule.NO_TRANSFER) && next != null && next.phase == Phase.WAITING) {
            end(call);
            next.phase = Phase.ASKING;
            next.age = 0;
            send(new Request(Kind.TRANSFER, call.field(), 0, false, next.field()));
            return;
        }
        part(call, call.units - 1);
        call.units--;
        if (call.units == 0) {
            end(call);
        }
        if (next != null && next.phase == Phase.WAITING && next.place <= 1) {
            ask(next);
        }
    }

    /** A hold is over, and nobody is told. */
    void end(Call call) {
        call.phase = Phase.OVER;
        call.valid = 0;
        call.units = 0;
    }

    private void send(Request request) {
        link = Lists.appended(link, new Exchange(request, null));
    }

    // What it hears.

    void hear(Exchange exchange) {
        Request request = exchange.request();
        boolean isTransfer = request.kind() == Kind.TRANSFER;
        Call call = call((isTransfer ? request.other() : request.field()).call());
        if (request.kind() == Kind.EXTEND && exchange.reply().granted() && call.phase == Phase.HOLDING) {
            call.valid = Math.max(call.valid, call.extended);
        }
        if (!request.awaitsReply() || call.phase != Phase.ASKING) {
            return;
        }
        if (call.place != NEVER && exchange.reply().anew() && rules.contains(QueueRule.LOST_PLACE_TELLS)) {
            calls.stream().filter(other -> other != call).forEach(this::wake);
        }
        if (exchange.reply().granted()) {
            hold(call, exchange.reply().grant(), scope.wants.get(call.number).lease() - call.age);
        } else {
            refuse(call, exchange.reply());
        }
    }

    private void hold(Call call, Grant grant, int valid) {
        call.phase = Phase.HOLDING;
        call.permit = false;
        call.valid = valid;
        call.units = scope.wants.get(call.number).units();
        call.grant = grant;
        call.touches = scope.touches;
        if (valid <= 0) {
            leave(call);
        }
    }

    private void refuse(Call call, Reply reply) {
        if (!scope.wants.get(call.number).waits()) {
            call.phase = Phase.OVER;
            return;
        }
        call.phase = Phase.WAITING;
        call.place = Math.min(reply.place(), 2);
        look = reply.left() == 0 ? NEVER : reply.left();
        if (!listens) {
            subscribes = true;
        }
        if (call.permit) {
            ask(call);
        }
    }

    void hear(Message message) {
        if (message.equals(CONFIRMATION)) {
            confirm();
            return;
        }
        deputy = NEVER;
        for (Field field : message.told()) {
            if (scope.clientOf(field.call()) == scope.clientOf(calls.get(0).number)) {
                told(call(field.call()));
            }
        }
        boolean isOfQueue = !message.told().isEmpty();
        Call oldest = oldest();
        if (oldest != null && (!isOfQueue || isPlain(oldest))) {
            wake(oldest, isOfQueue);
        }
        if (isOfQueue && rules.contains(QueueRule.PLAIN_TAKES_PLACE)) {
            calls.stream().filter(this::isPlain).forEach(call -> wake(call, true));
        }
        Field next = message.deputy();
        if (next != null && scope.clientOf(next.call()) == scope.clientOf(calls.get(0).number) && oldest != null) {
            deputy = scope.window;
            if (!rules.contains(QueueRule.DEPUTY_ADDS)) {
                poll = NEVER;
            }
        }
    }

    /** A call that waits asks; a plain one takes a place, if the message is of the queue. */
    private void wake(Call call, boolean isOfQueue) {
        call.besideQueue = isOfQueue && isPlain(call) && call.waits();
        if (call.besideQueue && call.phase == Phase.WAITING) {
            call.passed = Math.min(2, call.passed + 1);
        }
        wake(call);
    }

    private void told(Call call) {
        if (!rules.contains(QueueRule.CLAIMED) && call.phase == Phase.WAITING) {
            hold(call, Grant.NONE, scope.wants.get(call.number).lease());
        } else {
            wake(call);
        }
    }

    private void confirm() {
        Call oldest = oldest();
        if (rules.contains(QueueRule.ALL_ASK)) {
            calls.forEach(this::wake);
        } else if (oldest != null) {
            wake(oldest);
        }
    }

    /** A waiting call asks; if its request is in flight, after that. */
    private void wake(Call call) {
        if (call.phase == Phase.WAITING) {
            ask(call);
        } else if (call.phase == Phase.ASKING) {
            call.permit = rules.contains(QueueRule.NAMED_PERMIT);
        }
    }

    private Call call(int number) {
        return calls.stream().filter(call -> call.number == number).findFirst().orElseThrow();
    }

    /** Whether it asks, and releases, by the scripts of plain locks. */
    private boolean isPlain(Call call) {
        return mode(call) == Mode.PLAIN && !call.queued;
    }

    Mode mode(Call call) {
        return scope.wants.get(call.number).mode();
    }

    /** Forgets what can't matter any more. */
    void forgetWhatIsOver() {
        if (oldest() == null) {
            poll = NEVER;
            look = NEVER;
            deputy = NEVER;
            if (calls.stream().noneMatch(call -> call.phase == Phase.TO_COME)) {
                news = List.of();
            }
        }
        calls.stream().filter(call -> call.phase == Phase.OVER).forEach(Call::forget);
    }

    // What happens to it.

    void tick() {
        if (paused > 0) {
            paused--;
        }
        poll = later(poll);
        look = later(look);
        deputy = later(deputy);
        for (Call call : calls) {
            if (call.phase == Phase.ASKING) {
                call.age = Math.min(scope.wants.get(call.number).lease(), call.age + 1);
            }
            call.extended = Math.max(0, call.extended - 1);
            if (call.phase == Phase.HOLDING && --call.valid == 0) {
                end(call);
                Call next = oldest();
                if (next != null && next.phase == Phase.WAITING && rules.contains(QueueRule.OWN_END_LOOKS)) {
                    ask(next);
                }
            }
        }
    }

    private static int later(int timer) {
        return timer > 0 ? timer - 1 : timer;
    }

    /** The connection for commands breaks; what has no answer is sent again. */
    void reconnect(boolean fenced) {
        if (!fenced) {
            List<Request> left = new ArrayList<>(late);
            link.stream()
                    .filter(exchange -> exchange.reply() == null)
                    .forEach(exchange -> left.add(exchange.request()));
            late = List.copyOf(left);
        }
        link = link.stream()
                .map(exchange -> new Exchange(exchange.request(), null))
                .toList();
    }

    /** The connection for messages breaks. */
    void drop() {
        subscribes = subscribes || listens;
        listens = false;
        news = List.of();
    }

    void crash() {
        alive = false;
        paused = NEVER;
        for (Call call : calls) {
            end(call);
        }
        link = link.stream().filter(exchange -> exchange.reply() == null).toList();
        subscribes = false;
        listens = false;
        news = List.of();
    }
}
