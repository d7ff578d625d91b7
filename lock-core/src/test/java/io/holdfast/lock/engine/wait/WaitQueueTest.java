package io.holdfast.lock.engine.wait;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.call.Unwanted;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.kind.Reentrant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tickets in line. */
class WaitQueueTest {
    private final WaitQueue queue = new WaitQueue();

    @Test
    void ticketsStandInTheOrderOfTheirArrival() {
        List<Ticket> tickets = arrive(3);

        assertThat(inLine()).isEqualTo(tickets);
        assertThat(queue.head()).isSameAs(tickets.get(0));
        assertThat(queue.size()).isEqualTo(3);
    }

    @Test
    void aTicketLeavesFromAnyPlace() {
        List<Ticket> tickets = arrive(5);

        for (int place : new int[] {2, 0, 4}) {
            queue.remove(tickets.get(place));
        }

        assertThat(inLine()).containsExactly(tickets.get(1), tickets.get(3));
        assertThat(queue.size()).isEqualTo(2);
        assertThat(tickets.get(2))
                .extracting(left -> left.queued, left -> left.next, left -> left.previous)
                .containsExactly(false, null, null);
    }

    @Test
    void leavingTwiceIsLeavingOnce() {
        List<Ticket> tickets = arrive(3);

        queue.remove(tickets.get(1));
        queue.remove(tickets.get(1));

        assertThat(queue.size()).isEqualTo(2);
        assertThat(inLine()).containsExactly(tickets.get(0), tickets.get(2));
    }

    @Test
    void whoComesBackStandsAtTheEnd() {
        List<Ticket> tickets = arrive(2);

        queue.remove(tickets.get(0));
        queue.add(tickets.get(0));

        assertThat(inLine()).containsExactly(tickets.get(1), tickets.get(0));
    }

    @Test
    void anEmptiedQueueStartsAnew() {
        arrive(2).forEach(queue::remove);
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.head()).isNull();

        assertThat(inLine()).isEmpty();
        List<Ticket> later = arrive(2);
        assertThat(inLine()).isEqualTo(later);
    }

    @Test
    void aVisitorMayRemoveTheTicketItIsGiven() {
        List<Ticket> tickets = arrive(4);
        List<Ticket> visited = new ArrayList<>();

        queue.forEach(ticket -> {
            visited.add(ticket);
            queue.remove(ticket);
        });

        assertThat(visited).isEqualTo(tickets);
        assertThat(queue.isEmpty()).isTrue();
    }

    /** A walk through the line for each of them would take minutes. */
    @Tag("proof")
    @Test
    @Timeout(20)
    void leavingTakesTheSameTimeFromEveryPlace() {
        List<Ticket> tickets = arrive(300_000);
        Collections.shuffle(tickets, new Random(1));

        tickets.forEach(queue::remove);

        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void theTicketsOfAnOwnerAreFoundInTheOrderOfTheirArrival() {
        Ticket alone = arrive(Owner.thread(1));
        assertThat(of(Owner.thread(1))).containsExactly(alone);

        Ticket other = arrive(Owner.thread(2));
        Ticket again = arrive(Owner.thread(1));

        assertThat(of(Owner.thread(1))).containsExactly(alone, again);
        assertThat(of(Owner.thread(2))).containsExactly(other);
        assertThat(of(Owner.thread(3))).isEmpty();
    }

    @Test
    void ownersAreKnownWhoeverComesAndGoes() {
        Random random = new Random(5);
        List<Ticket> line = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            if (line.isEmpty() || random.nextInt(100) < 48) {
                line.add(arrive(Owner.thread(random.nextInt(4))));
            } else {
                queue.remove(line.remove(random.nextInt(line.size())));
            }
            Owner owner = Owner.thread(random.nextInt(4));
            assertThat(of(owner))
                    .isEqualTo(line.stream()
                            .filter(ticket -> ticket.owner.equals(owner))
                            .toList());
        }
    }

    @Test
    void aVisitorMayRemoveTheOwnersTicketThatItIsGiven() {
        Owner owner = Owner.thread(1);
        arrive(owner);
        Ticket other = arrive(Owner.thread(2));
        arrive(owner);

        queue.forEach(owner, queue::remove);

        assertThat(inLine()).containsExactly(other);
        assertThat(of(owner)).isEmpty();
    }

    /** A walk through the line for each of them would take minutes. */
    @Tag("proof")
    @Test
    @Timeout(20)
    void anOwnersTicketsAreFoundWithoutALookAtTheOthers() {
        List<Ticket> tickets = arrive(300_000);

        for (int i = tickets.size() - 1; i >= 0; i--) {
            queue.forEach(tickets.get(i).owner, queue::remove);
        }

        assertThat(queue.isEmpty()).isTrue();
    }

    private List<Ticket> of(Owner owner) {
        List<Ticket> tickets = new ArrayList<>();
        queue.forEach(owner, tickets::add);
        return tickets;
    }

    private List<Ticket> arrive(int count) {
        List<Ticket> tickets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tickets.add(arrive(Owner.thread(i)));
        }
        return tickets;
    }

    private Ticket arrive(Owner owner) {
        Ticket ticket = new Ticket(
                LockKeys.of("stock", LockOptions.defaults()),
                new Terms(Reentrant.KIND, LockOptions.defaults()),
                owner,
                new LeaseTerm(30_000, true),
                Ticket.NEVER,
                null,
                0,
                new Unwanted<>());
        queue.add(ticket);
        return ticket;
    }

    private List<Ticket> inLine() {
        List<Ticket> tickets = new ArrayList<>();
        queue.forEach(tickets::add);
        return tickets;
    }
}
