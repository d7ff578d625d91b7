package io.holdfast.lock.tests.models;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A slot that is moved from its source to its target, with the two keys in it, and clients that want the lock.
 *
 * @param now how often the time of both servers has advanced
 * @param late requests that were left behind in a connection that broke
 * @param newest the token that was handed out last
 * @param increased whether each token that was handed out was greater than the one before
 */
record MoveState(
        Slot slot,
        Keys source,
        Keys target,
        int now,
        List<Client> clients,
        List<Request> late,
        int newest,
        boolean increased,
        Budget budget) {

    enum Slot {
        AT_SOURCE,
        MOVING,
        AT_TARGET
    }

    /**
     * What a server keeps.
     *
     * @param clock the token clock: the greatest token minted; 0 where there is no such key
     */
    record Keys(@Nullable Lock lock, int clock) {
        static final Keys NONE = new Keys(null, 0);

        Keys with(@Nullable Lock changed) {
            return new Keys(changed, clock);
        }

        Keys with(int minted) {
            return new Keys(lock, minted);
        }

        boolean isEmpty() {
            return lock == null && clock == 0;
        }
    }

    /**
     * A stored field, which no other round has, and the lock's token.
     *
     * @param token 0 while it is not confirmed
     */
    record Lock(int client, int round, int token) {
        boolean isOf(int client, int round) {
            return this.client == client && this.round == round;
        }
    }

    enum Step {
        IDLE,
        /** The usual script, which names both keys. */
        ACQUIRE,
        TAKE,
        MINT,
        CONFIRM,
        HOLDING,
        RELEASE,
        /** Only where the token is guessed: the clock is read before, and raised after. */
        READ,
        RAISE;

        boolean namesTheClock() {
            return this == MINT || this == READ || this == RAISE;
        }
    }

    /**
     * What a client asks for, and where.
     *
     * @param token the one that it has, or 0
     * @param asking whether the source has said {@code ASK}
     */
    record Request(int client, int round, Step step, int token, boolean asking) {
        @Override
        public String toString() {
            return String.format(
                    "%s%s of client %d",
                    step.name().toLowerCase(Locale.ROOT), token > 0 ? " " + token : "", client + 1);
        }
    }

    /**
     * @param rounds how many more times it wants the lock
     * @param round the number of its acquisition
     * @param token the one that it has minted, or holds
     * @param valid whether its caller still wants the lock, and the lease counted from before the request has not passed
     */
    record Client(int rounds, int round, Step step, boolean asking, int token, boolean valid, boolean alive) {
        static Client first(int rounds) {
            return new Client(rounds, 0, Step.IDLE, false, 0, false, true);
        }

        Client begins() {
            return new Client(rounds - 1, round + 1, Step.ACQUIRE, false, 0, true, true);
        }

        Client goesOn(Step next, int minted) {
            return new Client(rounds, round, next, false, minted, valid, alive);
        }

        Client asks(boolean target) {
            return new Client(rounds, round, step, target, token, valid, alive);
        }

        /** A hold ends with its validity. A request goes on, and nothing but a release follows it. */
        Client late() {
            return step == Step.HOLDING
                    ? new Client(rounds, round, Step.RELEASE, false, 0, false, alive)
                    : new Client(rounds, round, step, asking, token, false, alive);
        }

        Client over() {
            return new Client(rounds, round, Step.IDLE, false, 0, false, alive);
        }

        Client dead() {
            return new Client(0, round, Step.IDLE, false, 0, false, false);
        }

        boolean holds() {
            return step == Step.HOLDING;
        }
    }

    /**
     * @param losses answers that may get lost
     * @param copies requests that may be left behind
     * @param crashes of clients
     * @param recalls moves that may be called off
     */
    record Budget(int losses, int copies, int crashes, int recalls) {
        Budget less(int lost, int copied, int crashed, int recalled) {
            return new Budget(losses - lost, copies - copied, crashes - crashed, recalls - recalled);
        }
    }

    MoveState with(Slot changed) {
        return new MoveState(changed, source, target, now, clients, late, newest, increased, budget);
    }

    MoveState with(Keys atSource, Keys atTarget) {
        return new MoveState(slot, atSource, atTarget, now, clients, late, newest, increased, budget);
    }

    MoveState with(boolean atTarget, Keys keys) {
        return atTarget ? with(source, keys) : with(keys, target);
    }

    MoveState with(int client, Client changed) {
        return new MoveState(
                slot, source, target, now, Lists.replaced(clients, client, changed), late, newest, increased, budget);
    }

    MoveState with(Budget left) {
        return new MoveState(slot, source, target, now, clients, late, newest, increased, left);
    }

    MoveState late(List<Request> copies) {
        return new MoveState(slot, source, target, now, clients, copies, newest, increased, budget);
    }

    MoveState later() {
        return new MoveState(slot, source, target, now + 1, clients, late, newest, increased, budget);
    }

    MoveState handedOut(int token) {
        boolean isGreater = token > newest;
        return new MoveState(slot, source, target, now, clients, late, token, increased && isGreater, budget);
    }

    Keys keys(boolean atTarget) {
        return atTarget ? target : source;
    }

    @Override
    public String toString() {
        String waits = clients.stream()
                .map(client -> client.step
                        + (client.asking ? " (asking)" : "")
                        + (client.token > 0 ? " with " + client.token : "")
                        + (client.valid ? "" : ", not valid")
                        + (client.alive ? "" : ", dead"))
                .collect(Collectors.joining("; "));
        return String.format(
                "slot %s at %d%nsource: %s, clock %d%ntarget: %s, clock %d%nclients: %s%s%ntoken handed out last: %d",
                slot,
                now,
                source.lock,
                source.clock,
                target.lock,
                target.clock,
                waits,
                late.isEmpty() ? "" : ", left behind " + late,
                newest);
    }
}
