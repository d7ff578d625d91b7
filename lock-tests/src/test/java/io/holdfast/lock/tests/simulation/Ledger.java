package io.holdfast.lock.tests.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/** What the servers have really granted, and how it ended: the truth that the clients' reports are compared with. */
final class Ledger implements Doubts {

    /** Scripts that make room, or need none. */
    private static final Set<String> ALWAYS_WORK =
            Set.of("release", "renew", "transfer", "queue-part", "queue-force", "keep");

    private final World world;
    private final Map<LuaString, Integer> locks = new HashMap<>();
    private final FencingChecker fencing;
    private final boolean quorum;
    private final List<Acquisition> all = new ArrayList<>();
    private final List<Book> books = new ArrayList<>();
    /** When a lock was last refused since it was reserved for another client. */
    private final Map<Integer, Long> reservedNanos = new HashMap<>();

    private long grants;
    private @Nullable QueueChecker queues;

    /** @param quorum whether one server may forget without breaking exclusion */
    Ledger(World world, List<String> keys, FencingChecker fencing, boolean quorum) {
        this.world = world;
        this.fencing = fencing;
        this.quorum = quorum;
        for (String key : keys) {
            locks.put(LuaString.valueOf(key), locks.size());
        }
    }

    /** Who judges the queues of servers. */
    void queuesAreJudgedBy(QueueChecker checker) {
        queues = checker;
    }

    /** The pages of one server. */
    SimulatedServer.Witness book(int server) {
        Book book = new Book(server);
        books.add(book);
        return book;
    }

    /** The newest acquisition under an owner's name that has this token; null if there never was one. */
    @Nullable
    Acquisition find(int lock, String owner, long token) {
        for (int i = all.size() - 1; i >= 0; i--) {
            Acquisition each = all.get(i);
            if (each.lock == lock && each.has(token) && each.isOf(owner)) {
                return each;
            }
        }
        return null;
    }

    /** The newest acquisition under an owner's name; null if there never was one. */
    @Nullable
    Acquisition newest(int lock, String owner) {
        for (int i = all.size() - 1; i >= 0; i--) {
            Acquisition each = all.get(i);
            if (each.lock == lock && each.isOf(owner)) {
                return each;
            }
        }
        return null;
    }

    /** Whether a fault has broken what an owner's exclusion rests on, since a time. */
    boolean isDoubted(int lock, String owner, long sinceNanos) {
        return doubtedNanos(lock, owner, sinceNanos) < Long.MAX_VALUE;
    }

    /** When a fault broke what an owner's exclusion rests on since a time; {@link Long#MAX_VALUE} if none did. */
    long doubtedNanos(int lock, String owner, long sinceNanos) {
        long doubted = Long.MAX_VALUE;
        for (int i = all.size() - 1; i >= 0; i--) {
            Acquisition each = all.get(i);
            if (each.doubtedNanos < doubted
                    && each.lock == lock
                    && each.isRestedOnAfter(sinceNanos)
                    && each.isOf(owner)) {
                doubted = each.doubtedNanos;
            }
        }
        return doubted;
    }

    /** When a server forgot what an owner had there since a time; {@link Long#MAX_VALUE} if none did. */
    long forgottenNanos(int lock, String owner, long sinceNanos) {
        long forgotten = Long.MAX_VALUE;
        for (Acquisition each : all) {
            boolean gone = each.end == Keyspace.Cause.FORGOTTEN || each.end == Keyspace.Cause.EVICTED;
            if (gone && each.lock == lock && each.wasThereAfter(sinceNanos) && each.isOf(owner)) {
                forgotten = Math.min(forgotten, each.endNanos);
            }
        }
        return forgotten;
    }

    /** Whether a server has lost what an owner had there since a time, otherwise than by a word of the owner's client. */
    boolean wasTakenAway(int server, int lock, String owner, long sinceNanos) {
        return all.stream()
                .anyMatch(each -> each.server == server
                        && each.lock == lock
                        && each.wasThereAfter(sinceNanos)
                        && each.end != null
                        && each.end != Keyspace.Cause.RELEASED
                        && each.end != Keyspace.Cause.FORGOTTEN
                        && each.isOf(owner));
    }

    /** Whether a server was told by force to forget what an owner had there since a time. */
    boolean wasFreedByForce(int lock, String owner, long sinceNanos) {
        return all.stream()
                .anyMatch(each -> each.end == Keyspace.Cause.FORCED
                        && each.lock == lock
                        && each.wasThereAfter(sinceNanos)
                        && each.isOf(owner));
    }

    /** Whether a server has refused a lock since a time for no other reason than that it was reserved for another client. */
    boolean wasReservedSince(int lock, long nanos) {
        return reservedNanos.getOrDefault(lock, -1L) >= nanos;
    }

    /** All that servers have ever granted of a lock. */
    List<Acquisition> all(int lock) {
        return all.stream().filter(each -> each.lock == lock).toList();
    }

    /** Whether anybody had a lock at any server since a time. */
    boolean wasHeldSince(int lock, long sinceNanos) {
        for (int i = all.size() - 1; i >= 0; i--) {
            if (all.get(i).lock == lock && all.get(i).wasThereAfter(sinceNanos)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a free lock became free with a word to whoever waits, or when its waiters knew that it would: not one whose
     * lease became shorter in a hand-over, which nobody elsewhere hears of.
     */
    boolean wasFreedOpenly(int lock) {
        Acquisition last = null;
        for (int i = all.size() - 1; i >= 0; i--) {
            Acquisition each = all.get(i);
            if (each.lock == lock && last == null) {
                last = each;
            } else if (each.lock == lock) {
                // Nobody hears that a lease is over: whoever was told of this one may not know of the next.
                return last.end == Keyspace.Cause.RELEASED || (!last.handedOver && each.end == Keyspace.Cause.RELEASED);
            }
        }
        return true;
    }

    /**
     * The same where clients stand in a queue at the server: of those, only the one that was named and a deputy ask, so that
     * nobody else knows how long a lease is.
     */
    boolean wasReleasedLast(int lock) {
        for (int i = all.size() - 1; i >= 0; i--) {
            if (all.get(i).lock == lock) {
                return all.get(i).end == Keyspace.Cause.RELEASED;
            }
        }
        return true;
    }

    /** Until when the newest acquisition of a lock was there; 0 while that is open. */
    long heldUntilNanos(int lock) {
        for (int i = all.size() - 1; i >= 0; i--) {
            if (all.get(i).lock == lock) {
                return all.get(i).endNanos;
            }
        }
        return 0;
    }

    @Override
    public void doubt(int server) {
        for (Acquisition each : books.get(server).present) {
            if (each != null) {
                each.doubt(world.nanos());
            }
        }
    }

    @Override
    public void doubtFromNowOn(int server, boolean on) {
        doubt(server);
        books.get(server).doubting = on;
    }

    /** A client says that the fixed lease of a hold ran out. */
    void ranOut(int lock, String owner, long token) {
        for (Acquisition each : present()) {
            // The nodes of a quorum may have given it different ones.
            if (each.lock == lock && each.isOf(owner) && (quorum || each.has(token))) {
                each.ranOut = true;
            }
        }
    }

    /** What the servers have now, so far as nobody has found out that it has expired. */
    List<Acquisition> present() {
        List<Acquisition> present = new ArrayList<>();
        for (Book book : books) {
            for (Acquisition each : book.present) {
                if (each != null) {
                    present.add(each);
                }
            }
        }
        return present;
    }

    /** Whether what a server has now was granted to a client that had left the connection by which it asked. */
    boolean isAbandoned(LuaString field) {
        String name = field.tojstring();
        return present().stream().anyMatch(each -> each.abandoned && each.field.equals(name));
    }

    /** Whether a client has said of what a server has now that its fixed lease ran out. */
    boolean hasRunOut(LuaString field) {
        String name = field.tojstring();
        return present().stream().anyMatch(each -> each.ranOut && each.field.equals(name));
    }

    boolean isQuorum() {
        return quorum;
    }

    /** How many locks were granted by servers. */
    long grants() {
        return grants;
    }

    private final class Book implements SimulatedServer.Witness {

        private final int server;
        private final @Nullable Acquisition[] present = new Acquisition[locks.size()];
        private boolean doubting;

        Book(int server) {
            this.server = server;
        }

        @Override
        public void added(LuaString key, LuaString field, boolean handedOver) {
            Integer lock = locks.get(key);
            if (lock != null) {
                Acquisition fresh = new Acquisition(server, lock, field.tojstring(), world.nanos());
                fresh.handedOver = handedOver;
                fresh.tokenBefore = tokenOf(fresh.field);
                if (doubting) {
                    fresh.doubt(world.nanos());
                }
                present[lock] = fresh;
                all.add(fresh);
            }
        }

        private long tokenOf(String field) {
            for (int i = all.size() - 1; i >= 0; i--) {
                Acquisition each = all.get(i);
                if (each.server == server && each.field.equals(field)) {
                    return each.token == 0 ? each.tokenBefore : each.token;
                }
            }
            return 0;
        }

        @Override
        public void removed(LuaString key, LuaString field, Keyspace.Cause cause) {
            Integer lock = locks.get(key);
            if (lock == null) {
                return;
            }
            if (queues != null && cause == Keyspace.Cause.EXPIRED) {
                queues.expired(key);
            }
            String name = field.tojstring();
            for (int i = all.size() - 1; i >= 0; i--) {
                Acquisition each = all.get(i);
                if (each.server == server && each.lock == lock && each.isThere() && each.field.equals(name)) {
                    each.end = cause;
                    each.endNanos = world.nanos();
                    if (cause == Keyspace.Cause.FORCED
                            || cause == Keyspace.Cause.EVICTED
                            || (cause == Keyspace.Cause.FORGOTTEN && !quorum)) {
                        each.doubt(world.nanos());
                    }
                    if (present[lock] == each) {
                        present[lock] = null;
                    }
                    break;
                }
            }
            if (world.isTraced()) {
                world.note("node-" + (char) ('a' + server), key + ": " + name + " is " + cause);
            }
            world.mix(cause.ordinal());
        }

        @Override
        public void granted(LuaString key, LuaString field, long token, long tokens, long micros, boolean abandoned) {
            Integer lock = locks.get(key);
            Acquisition held = lock == null ? null : present[lock];
            if (lock == null || held == null) {
                return;
            }
            world.mix(token);
            if (held.token == 0) {
                grants++;
            }
            long before = held.token == 0 ? held.tokenBefore : held.token;
            // What was reserved for it has had its token since.
            long mintedMicros = held.token == 0 ? micros - (world.nanos() - held.sinceNanos) / 1_000 : micros;
            fencing.granted(server, lock, held.field, before, token, mintedMicros);
            fencing.joined(server, lock, token + tokens - 1);
            held.token = token;
            // A repeated request is told of its first token only.
            held.tokens = token == before ? Math.max(tokens, held.tokens) : tokens;
            held.abandoned = abandoned;
        }

        @Override
        public void joined(LuaString key, LuaString field, long token, boolean abandoned) {
            Integer lock = locks.get(key);
            Acquisition held = lock == null ? null : present[lock];
            if (lock != null && held != null) {
                world.mix(token);
                fencing.joined(server, lock, token);
                held.token = token;
                held.abandoned = abandoned;
            }
        }

        /** What makes room, or none, works on a full server too. */
        @Override
        public void outOfMemory(String script) {
            if (ALWAYS_WORK.contains(script)) {
                world.fail("ERR", "server " + server + " is full and refuses to " + script);
            }
        }

        @Override
        public void ran(Request request, Keyspace data) {
            Integer lock = request.keys() == 0 ? null : locks.get(request.key(1));
            if (lock != null && request.takesTurns() && request.isAcquisition() && !data.exists(request.key(1))) {
                reservedNanos.put(lock, world.nanos());
            }
            if (queues != null) {
                queues.ran(request, data);
            }
        }

        @Override
        public void lostData(Keyspace data) {
            if (queues != null) {
                queues.lostData(data);
            }
            fencing.lostData(server);
        }
    }
}
