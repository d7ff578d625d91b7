package io.holdfast.lock.netty.address;

import io.holdfast.lock.AddressMapper;
import io.holdfast.lock.NodeAddress;
import io.holdfast.lock.netty.guest.GuestCall;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.text.Printable;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Where the servers of one client are that others announce to it: the user's mapper says where they are reached, if there
 * is one, and names are looked up.
 *
 * <p>A mapper is code of the user's, so it is called on a thread for such code, and has a budget. A call that is not
 * answered in time is interrupted. Without a mapper, a search takes no other turn than its lookup does.
 */
public final class AnnouncedAddresses {

    /** Receives the answer, on the event loop. */
    public interface Asker extends Whereabouts.Asker {

        /** Where the server is reached; heard before its addresses, and not at all where the mapper does not say. */
        void reachable(Target.Host host);
    }

    /** Each that hangs has a thread. More servers than this are not announced at a time, nor sought. */
    private static final int MOST_UNDER_WAY = 64;

    /** One address that hangs leaves room for the others. */
    private static final int MOST_OF_ONE = 2;

    private final @Nullable AddressMapper mapper;
    private final long budgetNanos;
    private final Executor callbacks;
    private final NameService names;
    private final String clientName;

    // What follows is guarded by this.

    private final List<MapperCall> calls = new ArrayList<>();
    /** How many lookups of each host have no answer yet. */
    private final Map<Target.Host, AtomicInteger> lookups = new LinkedHashMap<>();

    private boolean closed;

    /**
     * The addresses of one client.
     *
     * @param budgetNanos how long the mapper may take for one of them
     * @param callbacks threads for code of users
     */
    public AnnouncedAddresses(
            Optional<AddressMapper> mapper,
            long budgetNanos,
            Executor callbacks,
            NameService names,
            String clientName) {
        this.mapper = mapper.orElse(null);
        this.budgetNanos = budgetNanos;
        this.callbacks = callbacks;
        this.names = names;
        this.clientName = clientName;
    }

    /**
     * Begins a search. The asker hears once, perhaps before this returns. Called on the event loop.
     *
     * @param anew whether what is remembered of earlier lookups is in doubt
     */
    public Whereabouts.Search whereabouts(Target.Host announced, EventLoop loop, boolean anew, Asker asker) {
        Search search = new Search(loop, anew, asker);
        if (mapper == null) {
            search.lookUp(announced);
        } else {
            search.map(mapper, announced);
        }
        return search;
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

    /** First the mapper's turn, then the name service's. All of it is the event loop's own. */
    private final class Search implements Whereabouts.Search {

        private final EventLoop loop;
        private final boolean anew;
        private final Asker asker;
        private @Nullable MapperCall call;
        private @Nullable ScheduledFuture<?> budget;
        private Whereabouts.@Nullable Search lookup;
        private boolean cancelled;

        Search(EventLoop loop, boolean anew, Asker asker) {
            this.loop = loop;
            this.anew = anew;
            this.asker = asker;
        }

        @Override
        public void cancel() {
            cancelled = true;
            endCall();
            if (lookup != null) {
                lookup.cancel();
            }
        }

        void map(AddressMapper user, Target.Host announced) {
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
            budget = loop.schedule(this::late, budgetNanos, TimeUnit.NANOSECONDS);
            begun.begin(callbacks);
        }

        void lookUp(Target.Host host) {
            asker.reachable(host);
            if (!cancelled) {
                lookup =
                        new HostWhereabouts(host, names, clientName, lookups(host), MOST_OF_ONE).ask(loop, anew, asker);
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

        private void late() {
            if (call != null) {
                endCall();
                unknown("the address mapper has not answered for " + TimeUnit.NANOSECONDS.toMillis(budgetNanos)
                        + " ms");
            }
        }

        /** What it answers from now on is not heard. */
        private void endCall() {
            if (budget != null) {
                budget.cancel(false);
            }
            if (call != null) {
                call.cancel();
                call = null;
            }
        }

        private void unknown(String why) {
            asker.unknown(Kind.UNREACHABLE, Printable.message(why));
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
