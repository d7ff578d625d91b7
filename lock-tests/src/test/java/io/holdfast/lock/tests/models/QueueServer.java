package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.QueueScope.Mode;
import io.holdfast.lock.tests.models.QueueScope.Want;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the server keeps of one lock, and the scripts. A working copy: only the step that makes a state changes it. */
final class QueueServer {
    /** Nobody, or none. */
    static final int NONE = -1;

    /** What an acquisition is stored as; its number counts the fields that the call has had. */
    record Field(int call, int number) {
        @Override
        public String toString() {
            return number == 0 ? "" + call : call + "'" + number;
        }
    }

    /**
     * A stored field.
     *
     * @param unit which of the permits of the field; 0 for everything else
     * @param left what is left of its time; for a writer the hash has it
     * @param reserved whether it is a reservation
     */
    record Held(Field field, int unit, int left, boolean reserved) {
        Held held(boolean raises, int lease) {
            return new Held(field, unit, raises ? Math.max(left, lease) : lease, false);
        }

        Held lasting(int left) {
            return new Held(field, unit, left, reserved);
        }
    }

    /** Who may go on, and who looks whether they did; without either of them it is the message {@code 0}. */
    record Message(List<Field> told, @Nullable Field deputy) {}

    /**
     * What a script did.
     *
     * @param granted whether the asker has what it asked for
     * @param left in a refusal, when to look again
     * @param place in a refusal, how many wait before the asker
     * @param anew whether the asker was not in the queue, and waits
     * @param grant of a grant: which one it is
     */
    record Reply(boolean granted, int left, int place, boolean anew, Grant grant) {
        static final Reply DONE = refused(0, 0, false);

        static Reply refused(int left, int place, boolean anew) {
            return new Reply(false, left, place, anew, Grant.NONE);
        }
    }

    /**
     * Which grant it is.
     *
     * @param epoch how often the server had lost its data
     * @param number how many grants there had been
     * @param token its fencing token
     */
    record Grant(int epoch, int number, int token) {
        static final Grant NONE = new Grant(0, 0, 0);
    }

    private final Set<QueueRule> rules;
    private final QueueScope scope;
    private final QueueWitness witness;

    /** The field of an exclusive hold. */
    @Nullable
    Held writer;

    /** What is left of the time of the hash. */
    int hashLeft;

    /** Read fields, or permits. */
    List<Held> shared;

    List<Field> queue;

    /** How long each client is still present; below zero, for how long it has not been. */
    final int[] seen;

    int limit;

    /** Only without rule 55: what was counted up. */
    int surplus;

    /** The last token. */
    int clock;

    /** What the script that runs publishes. */
    @Nullable
    Message published;

    QueueServer(Set<QueueRule> rules, QueueScope scope, QueueWitness witness) {
        this.rules = rules;
        this.scope = scope;
        this.witness = witness;
        shared = new ArrayList<>();
        queue = new ArrayList<>();
        seen = new int[scope.clients()];
        limit = scope.limit;
    }

    /** @param witness the copy of the other's witness */
    QueueServer(QueueServer other, QueueWitness witness) {
        rules = other.rules;
        scope = other.scope;
        this.witness = witness;
        writer = other.writer;
        hashLeft = other.hashLeft;
        shared = new ArrayList<>(other.shared);
        queue = new ArrayList<>(other.queue);
        seen = other.seen.clone();
        limit = other.limit;
        surplus = other.surplus;
        clock = other.clock;
    }

    // The scripts.

    /**
     * Asks for a lock or permits, claims a reservation, waits in the queue.
     *
     * @param own the field by which the owner writes, if it does
     * @param first whether the call asks for the first time
     */
    Reply join(Field field, @Nullable Field own, boolean first) {
        Want want = want(field);
        int client = want.client();
        witness.asks(client);
        if (want.waits() || queue.contains(field)) {
            seen[client] = scope.presence;
        }
        if (isThere(field)) {
            claim(field, want);
            return granted(false);
        }
        boolean writes = own != null && writer != null && writer.field().equals(own);
        if (writes && rules.contains(QueueRule.DOWNGRADE_PASSES)) {
            enter(field, want.lease(), false);
            return granted(false);
        }
        boolean enters = first || rules.contains(QueueRule.ENTERED_AGAIN);
        boolean anew = want.waits() && !queue.contains(field) && enters;
        if (anew) {
            queue.add(field);
        }
        boolean passes = fits(field) && !isFrontKept(want.mode());
        boolean granted = !passes && admit(field, want.lease(), false);
        boolean alone = !want.waits() && isOnlyOfAbsent() && fits(field);
        if (passes || !granted && alone) {
            queue.remove(field);
            enter(field, want.lease(), false);
            granted = true;
        }
        witness.answers(field.call(), granted, writes, want.waits());
        return granted
                ? granted(anew)
                : Reply.refused(timeToLive(want.mode()), Math.min(2, queue.indexOf(field)), anew);
    }

    private boolean isOnlyOfAbsent() {
        return queue.stream().allMatch(field -> seen[want(field).client()] <= 0);
    }

    private boolean isFrontKept(Mode mode) {
        QueueRule rule =
                switch (mode) {
                    case READ -> QueueRule.READERS_BEHIND_WRITERS;
                    case PERMITS -> QueueRule.LARGE_FIRST;
                    default -> QueueRule.FRONT_FIRST;
                };
        return rules.contains(rule);
    }

    /** Releases, leaves the queue, gives a reservation back. */
    Reply part(Field field, int unit) {
        witness.leaves(field.call());
        boolean wasReserved = isReserved(field);
        boolean freed = remove(field, unit);
        queue.remove(field);
        seal();
        if (!freed && want(field).mode() == Mode.PERMITS && !rules.contains(QueueRule.FIELDS_COUNTED)) {
            surplus++;
        }
        boolean admits = !wasReserved || rules.contains(QueueRule.LEAVING_ADMITS);
        boolean isFree = writer == null && shared.isEmpty();
        if (admits && (isFree || want(field).mode() == Mode.PERMITS || rules.contains(QueueRule.EACH_RELEASE_ADMITS))) {
            admit(null, 0, freed);
        }
        return Reply.DONE;
    }

    /** The way of plain locks: takes the lock if there is no hash. */
    Reply acquire(Field field) {
        if (hashLeft == 0) {
            enter(field, want(field).lease(), false);
            return granted(false);
        }
        return isThere(field) ? granted(false) : Reply.refused(hashLeft, 0, false);
    }

    /** The way of plain locks. */
    Reply release(Field field) {
        if (isThere(field)) {
            remove(field, 0);
            seal();
            published = new Message(List.of(), null);
        }
        return Reply.DONE;
    }

    /** Only without rule 47: a hold goes to another call of the same client. */
    Reply transfer(Field from, Field to) {
        if (writer == null || !writer.field().equals(from)) {
            return Reply.refused(hashLeft, 0, false);
        }
        queue.remove(to);
        enter(to, want(to).lease(), false);
        return granted(false);
    }

    /** The limit is set to another number. */
    void resize(int permits) {
        limit = permits;
        if (rules.contains(QueueRule.RAISING_ADMITS)) {
            admit(null, 0, false);
        }
    }

    // What the scripts share.

    /** From the front, whom there is room for; the asker is granted, the others get reservations. */
    private boolean admit(@Nullable Field asker, int lease, boolean freed) {
        boolean granted = false;
        boolean dropped = false;
        List<Field> told = new ArrayList<>();
        int passed = 0;
        while (queue.size() > passed) {
            Field first = queue.get(passed);
            int client = want(first).client();
            if (seen[client] <= 0 && seen[client] > -scope.passed && rules.contains(QueueRule.PASSED_OVER)) {
                passed++;
            } else if (seen[client] <= 0) {
                queue.remove(passed);
                dropped = true;
                witness.drops(first.call());
            } else if (!fits(first)) {
                break;
            } else if (first.equals(asker)) {
                queue.remove(passed);
                enter(first, lease, false);
                granted = true;
            } else {
                queue.remove(passed);
                enter(first, window(first), true);
                told.add(first);
                if (!rules.contains(QueueRule.PRESENCE_KEPT)) {
                    seen[client] = 0;
                } else if (rules.contains(QueueRule.PRESENCE_LOWERED)) {
                    seen[client] = Math.min(seen[client], scope.window);
                }
            }
        }
        if (!told.isEmpty()) {
            published = new Message(
                    List.copyOf(told), deputy(want(told.get(told.size() - 1)).client()));
        } else if (freed && rules.contains(QueueRule.FREED_IS_TOLD) || dropped && queue.size() == passed) {
            published = new Message(List.of(), null);
        }
        return granted;
    }

    private int window(Field field) {
        boolean isShort = rules.contains(QueueRule.CLAIM_WINDOW) && rules.contains(QueueRule.CLAIMED);
        return isShort ? scope.window : want(field).lease();
    }

    private @Nullable Field deputy(int told) {
        if (!rules.contains(QueueRule.DEPUTY)) {
            return null;
        }
        for (Field field : queue) {
            int client = want(field).client();
            if (seen[client] > 0 && (client != told || !rules.contains(QueueRule.DEPUTY_ELSEWHERE))) {
                return field;
            }
        }
        return null;
    }

    private boolean fits(Field field) {
        Want want = want(field);
        return switch (want.mode()) {
            case WRITE, PLAIN -> writer == null && shared.isEmpty();
            case READ -> writer == null;
            case PERMITS ->
                shared.size() + (rules.contains(QueueRule.ROOM_FOR_ALL) ? want.units() : 1) <= limit + surplus;
        };
    }

    private void enter(Field field, int lease, boolean reserved) {
        Want want = want(field);
        if (want.mode() == Mode.WRITE || want.mode() == Mode.PLAIN) {
            writer = new Held(field, 0, 0, reserved);
            hashLeft = lease;
        } else {
            for (int unit = 0; unit < want.units(); unit++) {
                put(new Held(field, unit, lease, reserved));
            }
            if (want.mode() == Mode.READ && !rules.contains(QueueRule.OWN_DEADLINE)) {
                shared.replaceAll(reader -> reader.lasting(lease));
            }
            seal();
        }
        boolean mints = want.mode() != Mode.READ || rules.contains(QueueRule.READERS_TOKEN);
        if (scope.touches) {
            clock += mints ? 1 : 0;
            witness.grants++;
        }
        if (want.mode() != Mode.PLAIN || witness.order.contains(field.call())) {
            witness.admits(field.call());
        }
    }

    /** Like {@code ZADD}: what has been there is replaced. */
    private void put(Held held) {
        shared.removeIf(other -> other.field().equals(held.field()) && other.unit() == held.unit());
        shared.add(held);
    }

    private boolean remove(Field field, int unit) {
        if (writer != null && writer.field().equals(field)) {
            writer = null;
            return true;
        }
        boolean all = unit == NONE || !rules.contains(QueueRule.ONE_BY_ONE);
        return shared.removeIf(held -> held.field().equals(field) && (all || held.unit() == unit));
    }

    /** A claim sets the time of a reservation, and raises that of a hold. */
    private void claim(Field field, Want want) {
        boolean isReserved = isReserved(field);
        boolean raises = isReserved ? !rules.contains(QueueRule.CLAIM_SETS) : rules.contains(QueueRule.HOLD_RAISED);
        int before = timeToLive(want.mode());
        keep(field, want.lease(), raises);
        if (isReserved && timeToLive(want.mode()) < before && rules.contains(QueueRule.SHORT_CLAIM_TELLS)) {
            published = new Message(List.of(), null);
        }
    }

    /** The holder of a field prolongs its lease. */
    Reply extend(Field field) {
        if (!isThere(field)) {
            return Reply.refused(0, 0, false);
        }
        keep(field, scope.extension, true);
        return granted(false);
    }

    /** Makes a hold of a field, with a lease that is set, or raised to. */
    private void keep(Field field, int lease, boolean raises) {
        if (writer != null && writer.field().equals(field)) {
            writer = new Held(field, 0, 0, false);
            hashLeft = raises ? Math.max(hashLeft, lease) : lease;
        } else {
            shared.replaceAll(held -> held.field().equals(field) ? held.held(raises, lease) : held);
        }
        seal();
    }

    /** The hash lives as long as the last reader: without it there are no readers. */
    private void seal() {
        int longest = shared.stream().mapToInt(Held::left).max().orElse(0);
        if (writer != null) {
            hashLeft = Math.max(hashLeft, longest);
        } else if (rules.contains(QueueRule.KEY_LIVES) || longest == 0 || hashLeft == 0) {
            hashLeft = longest;
        }
    }

    private int timeToLive(Mode mode) {
        if (mode == Mode.PERMITS && rules.contains(QueueRule.EARLIEST_TOLD)) {
            return shared.stream().mapToInt(Held::left).min().orElse(0);
        }
        return hashLeft;
    }

    private boolean isThere(Field field) {
        return writer != null && writer.field().equals(field)
                || shared.stream().anyMatch(held -> held.field().equals(field));
    }

    boolean isReserved(Field field) {
        return writer != null && writer.reserved() && writer.field().equals(field)
                || shared.stream()
                        .anyMatch(held -> held.reserved() && held.field().equals(field));
    }

    /** Whether anything is reserved for a client. */
    boolean reservesFor(int client) {
        return writer != null && writer.reserved() && want(writer.field()).client() == client
                || shared.stream()
                        .anyMatch(held -> held.reserved() && want(held.field()).client() == client);
    }

    /** Whether there is room beside those who hold; reservations are not counted. */
    boolean hasRoom(Want want) {
        boolean writes = writer != null && !writer.reserved();
        long others = shared.stream().filter(held -> !held.reserved()).count();
        return switch (want.mode()) {
            case WRITE, PLAIN -> !writes && others == 0;
            case READ -> !writes;
            case PERMITS -> others + want.units() <= limit;
        };
    }

    /** Whether no hold lasts longer than its lease; a writer that reads too may. */
    boolean keepsLeases() {
        boolean writes = writer != null && !writer.reserved() && shared.isEmpty();
        return (!writes || hashLeft <= want(writer.field()).lease())
                && shared.stream()
                        .allMatch(held -> held.reserved()
                                || held.left() <= want(held.field()).lease());
    }

    private Reply granted(boolean anew) {
        return new Reply(true, 0, 0, anew, new Grant(witness.epoch, witness.grants, clock));
    }

    private Want want(Field field) {
        return scope.wants.get(field.call());
    }

    // What happens to it.

    /** What is overdue goes at once: each script drops it before it decides. */
    void tick() {
        hashLeft = Math.max(0, hashLeft - 1);
        shared.replaceAll(held -> held.lasting(held.left() - 1));
        boolean isPermits = limit > 0 || scope.limit > 0;
        if (hashLeft == 0 && writer != null) {
            expire(writer);
            writer = null;
        }
        shared.stream().filter(held -> held.left() == 0).forEach(this::expire);
        shared.removeIf(held -> held.left() == 0);
        if (hashLeft == 0 && !isPermits) {
            shared.clear();
        }
        for (int client = 0; client < seen.length; client++) {
            seen[client] = Math.max(-scope.passed, seen[client] - 1);
        }
    }

    private void expire(Held held) {
        if (held.reserved()) {
            witness.misses(want(held.field()).client());
        }
    }

    /** The presence of those who wait for nothing: their next request sets it. */
    void forgetWhatIsOver() {
        for (int client = 0; client < seen.length; client++) {
            int one = client;
            if (queue.stream().noneMatch(field -> want(field).client() == one)) {
                seen[client] = 0;
            }
        }
    }

    /** It starts again, without its data. */
    void restart() {
        writer = null;
        hashLeft = 0;
        shared.clear();
        queue.clear();
        Arrays.fill(seen, 0);
    }
}
