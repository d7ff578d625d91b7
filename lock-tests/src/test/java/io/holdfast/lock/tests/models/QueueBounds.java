package io.holdfast.lock.tests.models;

import static io.holdfast.lock.tests.models.QueueScope.downgrade;
import static io.holdfast.lock.tests.models.QueueScope.permits;
import static io.holdfast.lock.tests.models.QueueScope.plain;
import static io.holdfast.lock.tests.models.QueueScope.read;
import static io.holdfast.lock.tests.models.QueueScope.tryRead;
import static io.holdfast.lock.tests.models.QueueScope.tryWrite;
import static io.holdfast.lock.tests.models.QueueScope.write;

/** Who queues, and how much may happen. */
enum QueueBounds implements Bounds {
    LATE(new QueueScope()
            .client(write(1), write(1))
            .client(write(1))
            .presence(1)
            .poll(1)),
    LATE_LEAVING(new QueueScope().client(write()).client(write()).leavings(1).reconnects(1)),
    UNFENCED(new QueueScope()
            .client(write())
            .client(write())
            .leavings(1)
            .reconnects(1)
            .unfenced()),
    EXTENDED(new QueueScope()
            .client(write(1))
            .client(write(1))
            .presence(1)
            .poll(1)
            .reconnects(1)
            .unfenced()
            .extension(2)),
    QUIET(new QueueScope().client(write(), write()).client(write(), write()).idle(0)),
    QUIET_DROPS(new QueueScope()
            .client(write(), write())
            .client(write(), write())
            .passed(0)
            .idle(0)),
    GIVE_UP(new QueueScope()
            .client(write())
            .client(write())
            .client(write())
            .leavings(2)
            .idle(0)),
    TRY(new QueueScope().client(write()).client(write()).client(tryWrite()).idle(0)),
    RESTART(new QueueScope()
            .client(write())
            .client(write())
            .client(write())
            .restarts(1)
            .idle(0)),
    LEASE_ENDS(new QueueScope()
            .client(write(), write())
            .client(write())
            .poll(3)
            .presence(4)
            .idle(0)),
    PAUSE(new QueueScope()
            .client(write(), write())
            .client(write(4), write())
            .pauses(1, 4)
            .asleep()
            .idle(1)),
    PAUSE_DROPS(new QueueScope()
            .client(write(), write())
            .client(write(4), write())
            .pauses(1, 4)
            .passed(0)
            .asleep()
            .idle(1)),
    DEAD(new QueueScope()
            .client(write())
            .client(write(), write())
            .client(write())
            .crashes(1)
            .asleep()
            .poll(3)
            .presence(4)
            .idle(1)),
    TWO_DIE(new QueueScope()
            .client(write(1))
            .client(write(1), write(1))
            .client(write(1))
            .crashes(2)
            .idle(2)),
    DEAD_WRITER(new QueueScope()
            .client(read(6))
            .client(write())
            .client(read(1))
            .crashes(1)
            .idle(4)),
    LONG_DEAD(new QueueScope()
            .client(write())
            .client(write(), write())
            .client(write())
            .crashes(1)
            .poll(3)
            .presence(4)
            .idle(2)),
    LONG_TWO_DIE(new QueueScope()
            .client(write(1))
            .client(write(2), write(1))
            .client(write(1))
            .crashes(2)
            .asleep()
            .poll(3)
            .presence(4)
            .idle(3)),
    BRISK(new QueueScope()
            .client(write(), write(), write())
            .client(write())
            .window(2)
            .presence(2)
            .poll(1)
            .idle(0)),
    SHORT(new QueueScope()
            .client(write(3))
            .client(read(1))
            .client(write(1))
            .window(2)
            .idle(0)),
    PLAIN(new QueueScope().client(write()).client(plain()).client(write()).idle(0)),
    PLAIN_BESIDE(new QueueScope()
            .client(write(), write())
            .client(write())
            .client(plain())
            .idle(0)),
    PLAIN_LEAVES(new QueueScope()
            .client(write())
            .client(plain(), plain())
            .client(write())
            .leavings(1)
            .idle(0)),
    DROP(new QueueScope().client(read(), read()).client(write()).drops(1).idle(0)),
    READERS(new QueueScope().client(read(3)).client(read(1)).client(write()).idle(0)),
    LATE_READERS(new QueueScope()
            .client(tryRead())
            .client(tryRead())
            .client(tryWrite())
            .presence(1)
            .poll(1)
            .reconnects(1)),
    READERS_LEAVE(new QueueScope()
            .client(read(3))
            .client(write())
            .client(read())
            .leavings(1)
            .reconnects(1)
            .idle(0)),
    DOWNGRADE_BREAK(new QueueScope()
            .client(write(), downgrade())
            .client(write())
            .leavings(1)
            .reconnects(1)
            .idle(0)),
    PLAIN_READERS(
            new QueueScope().client(read()).client(plain()).client(read(3)).idle(0)),
    DOWNGRADE(new QueueScope()
            .client(write(), downgrade())
            .client(read())
            .client(write())
            .idle(0)),
    TOKENS(new QueueScope().client(write()).client(read()).touches()),
    LATE_PERMITS(new QueueScope()
            .client(permits(1, 1), permits(1, 1))
            .client(permits(1, 1))
            .limit(1)
            .presence(1)
            .poll(1)),
    PERMITS(new QueueScope()
            .client(permits(1))
            .client(permits(2))
            .client(permits(1))
            .limit(2)
            .idle(0)),
    PERMITS_DIE(new QueueScope()
            .client(permits(1))
            .client(permits(1))
            .client(permits(1, 3))
            .limit(2)
            .crashes(1)
            .asleep()
            .poll(3)
            .presence(4)
            .idle(0)),
    PERMITS_BEHIND(new QueueScope()
            .client(permits(1, 6))
            .client(permits(2))
            .client(permits(1))
            .limit(2)
            .crashes(1)
            .idle(4)),
    PERMITS_LEAVE(new QueueScope()
            .client(permits(1))
            .client(permits(2))
            .client(permits(1))
            .limit(2)
            .leavings(2)
            .idle(0)),
    PERMITS_DROP(new QueueScope()
            .client(permits(1), permits(1))
            .client(permits(2))
            .limit(2)
            .drops(1)
            .idle(0)),
    LATE_PAIR(new QueueScope()
            .client(permits(2))
            .client(permits(1))
            .limit(2)
            .leavings(1)
            .reconnects(1)),
    LONG_PERMITS(new QueueScope()
            .client(permits(1))
            .client(permits(2))
            .client(permits(1))
            .limit(2)
            .leavings(1)
            .reconnects(1)
            .idle(0)),
    RESIZE(new QueueScope()
            .client(permits(1))
            .client(permits(1))
            .limit(1)
            .resized(2)
            .idle(0));

    final QueueScope scope;

    QueueBounds(QueueScope scope) {
        this.scope = scope;
    }
}
