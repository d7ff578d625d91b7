package io.holdfast.lock.netty.address;

import io.holdfast.lock.AddressMapper;
import io.holdfast.lock.NodeAddress;
import io.holdfast.lock.netty.guest.GuestCall;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.text.Printable;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the servers of one client are that others announce to it: the user's mapper says where they are reached, if there
 * is one, and names are looked up.
 *
 * <p>A mapper is code of the user's, so it is called on a thread for such code unless it says that it never blocks, and has a
 * budget. A call that is not answered in time is interrupted. Without a mapper, a search takes no other turn than its lookup
 * does. Connections that look for one server at the same time share a search.
 */
public final class AnnouncedAddresses {

    /** Receives the answer, on the event loop. */
    public interface Asker extends Whereabouts.Asker {

        /** Where the server is reached; heard before its addresses, and not at all where the mapper does not say. */
        void reachable(Target.Host host);
    }

    /** Each that hangs has a thread. More servers than this are not announced at a time, nor sought. */
    private static final int MOST_UNDER_WAY = 64;

    /** One address that hangs leaves room for the others, and for another try. */
    private static final int MOST_OF_ONE = 2;

    private final @Nullable AddressMapper mapper;
    private final long budgetNanos;
    private final Executor threads;
    private final NameService names;
    private final String clientName;

    // What follows is guarded by this.

    private final List<MapperCall> calls = new ArrayList<>();
    /** How many lookups of each host have no answer yet. */
    private final Map<Target.Host, AtomicInteger> lookups = new LinkedHashMap<>();
    /** The latest search for each address, while it may have more askers. */
    private final Map<Target.Host, Search> underWay = new HashMap<>();

    private boolean closed;

    /**
     * The addresses of one client.
     *
     * @param budgetNanos how long the mapper may take for one of them
     * @param threads for a mapper that may block
     */
    public AnnouncedAddresses(
            Optional<AddressMapper> mapper, long budgetNanos, Executor threads, NameService names, String clientName) {
        this.mapper = mapper.orElse(null);
        this.budgetNanos = budgetNanos;
        this.threads = mapper.isPresent() && mapper.get().mayBlock() ? threads : Runnable::run;
        this.names = names;
        this.clientName = clientName;
    }

    /**
     * Asks where a server is: of the search that is under way for it, or of one that begins. The asker hears once, perhaps before
     * this returns. Called on the event loop.
     *
     * @param anew whether what is remembered of earlier lookups is in doubt
     */
    public Whereabouts.Search whereabouts(Target.Host announced, EventLoop loop, boolean anew, Asker asker) {
        Search found;
        Search begun = null;
        Target.Host reachable;
        Party party;
        synchronized (this) {
            found = underWay.get(announced);
            if (found == null || !found.serves(anew)) {
                begun = new Search(announced, loop, anew);
                found = begun;
                underWay.put(announced, begun);
            }
            party = new Party(found, loop, asker);
            found.parties.add(party);
            reachable = found.reachable;
        }
        if (begun != null) {
            begun.begin();
        } else if (reachable != null) {
            asker.reachable(reachable);
        }
        return party;
    }

    /** Interrupts the mapper, which is not called any more. Legal on any thread. */
    public void close() {
        List<MapperCall> useless;
        synchronized (this) {
            closed = true;
            useless = List.copyOf(calls);
            calls.clear();
        }
        useless.forEach(GuestCall::cancel);
    }

    @Override
    public String toString() {
        return "AnnouncedAddresses{" + Printable.of(clientName) + ", mapper=" + (mapper == null ? "none" : "given")
                + '}';
    }

    /** Whether one more call may have a thread. */
    private synchronized boolean admit(MapperCall call) {
        calls.removeIf(earlier -> !earlier.needsThread());
        long ofTheSame = calls.stream()
                .filter(earlier -> earlier.announced.equals(call.announced))
                .count();
        return !closed && ofTheSame < MOST_OF_ONE && calls.size() < MOST_UNDER_WAY && calls.add(call);
    }

    private synchronized AtomicInteger lookups(Target.Host host) {
        if (lookups.size() >= MOST_UNDER_WAY) {
            lookups.values().removeIf(underWay -> underWay.get() == 0);
        }
        return lookups.computeIfAbsent(host, first -> new AtomicInteger());
    }

    /** One that has asked where a server is. What is not said otherwise is its event loop's own. */
    private final class Party implements Whereabouts.Search {

        private final Search search;
        private final EventLoop loop;
        private final Asker asker;
        private boolean cancelled;

        Party(Search search, EventLoop loop, Asker asker) {
            this.search = search;
            this.loop = loop;
            this.asker = asker;
        }

        @Override
        public void cancel() {
            cancelled = true;
            boolean wasLast;
            synchronized (AnnouncedAddresses.this) {
                wasLast = search.parties.remove(this) && search.parties.isEmpty();
                if (wasLast) {
                    underWay.remove(search.announced, search);
                }
            }
            if (wasLast) {
                in(search.loop, search::end);
            }
        }

        /** Any thread. */
        void tell(Consumer<Asker> news) {
            in(loop, () -> {
                if (!cancelled) {
                    news.accept(asker);
                }
            });
        }
    }

    private static void in(EventLoop loop, Runnable step) {
        if (loop.inEventLoop()) {
            step.run();
            return;
        }
        try {
            loop.execute(step);
        } catch (RejectedExecutionException closedLoop) {
            // The client was closed meanwhile: no connection needs the answer any more.
            return;
        }
    }

    /**
     * A search for one server: first the mapper's turn, then the name service's. Those that ask while it is under way hear the same;
     * but not after the mapper's budget, since a lookup that takes so long may hang while the next one would not.
     *
     * <p>What is not said otherwise is the event loop's own, which is that of the first asker.
     */
    private final class Search {

        final Target.Host announced;
        final EventLoop loop;
        private final boolean anew;

        // The next three are guarded by the addresses.

        final List<Party> parties = new ArrayList<>();
        /** Where the server is reached, once that is known. */
        Target.@Nullable Host reachable;

        private boolean old;

        private @Nullable MapperCall call;
        private @Nullable ScheduledFuture<?> budget;
        private Whereabouts.@Nullable Search lookup;
        private boolean over;

        Search(Target.Host announced, EventLoop loop, boolean anew) {
            this.announced = announced;
            this.loop = loop;
            this.anew = anew;
        }

        /** Whether one more may wait for its answer. Guarded by the addresses. */
        boolean serves(boolean another) {
            return !old && (anew || !another);
        }

        void begin() {
            if (mapper == null) {
                lookUp(announced);
            } else {
                map(mapper);
            }
            if (!over) {
                budget = loop.schedule(this::budgetIsOver, budgetNanos, TimeUnit.NANOSECONDS);
            }
        }

        private void map(AddressMapper user) {
            NodeAddress address;
            try {
                address = new NodeAddress(announced.host(), announced.port());
            } catch (IllegalArgumentException malformed) {
                unknown("what is announced is no address: " + malformed.getMessage());
                return;
            }
            MapperCall begun = new MapperCall(user, address, this);
            if (!admit(begun)) {
                unknown("calls to the address mapper have no answer yet");
                return;
            }
            call = begun;
            begun.begin(threads);
        }

        private void lookUp(Target.Host host) {
            List<Party> present;
            synchronized (AnnouncedAddresses.this) {
                reachable = host;
                present = List.copyOf(parties);
            }
            present.forEach(party -> party.tell(asker -> asker.reachable(host)));
            if (!over) {
                lookup = new HostWhereabouts(host, names, clientName, lookups(host), MOST_OF_ONE)
                        .ask(loop, anew, new Whereabouts.Asker() {

                            @Override
                            public void found(List<? extends SocketAddress> addresses) {
                                answer(asker -> asker.found(addresses));
                            }

                            @Override
                            public void unknown(Kind kind, String reason) {
                                answer(asker -> asker.unknown(kind, reason));
                            }
                        });
            }
        }

        /** Hears of the mapper, on its thread. */
        void mapped(Target.Host host) {
            pass(() -> lookUp(host));
        }

        /** Hears of the mapper, on its thread. */
        void failed(String why) {
            pass(() -> unknown("the address mapper " + why));
        }

        private void pass(Runnable news) {
            try {
                loop.execute(() -> {
                    if (call != null) {
                        endCall();
                        news.run();
                    }
                });
            } catch (RejectedExecutionException closedLoop) {
                // The client was closed while its mapper was thinking: no connection needs the answer any more.
                return;
            }
        }

        private void budgetIsOver() {
            synchronized (AnnouncedAddresses.this) {
                old = true;
            }
            if (call != null) {
                endCall();
                unknown("the address mapper has not answered for " + TimeUnit.NANOSECONDS.toMillis(budgetNanos)
                        + " ms");
            }
        }

        /** What it answers from now on is not heard. */
        private void endCall() {
            if (call != null) {
                call.cancel();
                call = null;
            }
        }

        private void unknown(String why) {
            String reason = Printable.message(why);
            answer(asker -> asker.unknown(Kind.UNREACHABLE, reason));
        }

        private void answer(Consumer<Asker> news) {
            List<Party> all;
            synchronized (AnnouncedAddresses.this) {
                all = List.copyOf(parties);
                parties.clear();
                underWay.remove(announced, this);
            }
            end();
            all.forEach(party -> party.tell(news));
        }

        /** Nothing is to be found out any more. */
        void end() {
            over = true;
            endCall();
            if (budget != null) {
                budget.cancel(false);
            }
            if (lookup != null) {
                lookup.cancel();
            }
        }
    }

    /** One question to the mapper. */
    private static final class MapperCall extends GuestCall {

        private final AddressMapper user;
        private final NodeAddress announced;
        private final Search search;

        MapperCall(AddressMapper user, NodeAddress announced, Search search) {
            this.user = user;
            this.announced = announced;
            this.search = search;
        }

        @Override
        protected void call() {
            NodeAddress reachable = user.map(announced);
            if (reachable == null) {
                search.failed("returned null");
            } else {
                search.mapped(new Target.Host(reachable.host(), reachable.port()));
            }
        }

        @Override
        protected void failed(Throwable thrown) {
            search.failed("failed: " + words(thrown));
        }

        private static String words(Throwable thrown) {
            try {
                return Printable.of(thrown);
            } catch (Throwable hostile) {
                // An exception of the user's may throw when it is asked for its words; the call has to end all the
                // same.
                return Printable.of(thrown.getClass().getName());
            }
        }
    }
}
