package io.holdfast.lock.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.AddressMapper;
import io.holdfast.lock.IoTransport;
import io.holdfast.lock.NodeAddress;
import io.holdfast.lock.netty.address.AnnouncedAddresses;
import io.holdfast.lock.netty.address.NameService;
import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.spi.Fault.Kind;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where announced servers are: what the user's mapper does decides about that one search, and holds up nothing. */
@Timeout(60)
class AnnouncedAddressesTest {

    private static final long LONG = TimeUnit.SECONDS.toNanos(50);
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(50);
    private static final Target.Host ANNOUNCED = new Target.Host("10.0.0.5", 6379);

    private final NettyRuntime runtime = NettyRuntime.start("announced", 1, IoTransport.NIO, Optional.empty());
    private final EventLoop loop = runtime.loops().next();
    private final CountDownLatch end = new CountDownLatch(1);
    /** The threads that have been inside the mapper. */
    private final List<Thread> inside = new CopyOnWriteArrayList<>();

    private final List<String> askedNames = new CopyOnWriteArrayList<>();

    /** Names have no answer before it is open. */
    private volatile CountDownLatch nameServer = new CountDownLatch(0);

    @AfterEach
    void nothingIsLeft() {
        end.countDown();
        runtime.close().toCompletableFuture().join();
        await().until(() -> inside.stream().noneMatch(Thread::isAlive));
    }

    @Test
    void withoutAMapperAnAddressIsFoundBeforeTheSearchReturns() throws Exception {
        AnnouncedAddresses addresses = addresses(Optional.empty(), LONG);
        Heard heard = new Heard();

        List<String> atOnce = onLoop(() -> {
            addresses.whereabouts(ANNOUNCED, loop, false, heard);
            return List.copyOf(heard.all);
        });

        assertThat(atOnce).containsExactly("reachable 10.0.0.5:6379", "found 10.0.0.5:6379");
    }

    @Test
    void withoutAMapperANameIsLookedUp() throws Exception {
        AnnouncedAddresses addresses = addresses(Optional.empty(), LONG);
        Heard heard = new Heard();
        begin(addresses, new Target.Host("redis.internal", 7), true, heard);
        await().until(() -> heard.all.size() == 2);
        assertThat(heard.all).containsExactly("reachable redis.internal:7", "found 127.0.0.9:7");
        assertThat(askedNames).containsExactly("anew redis.internal");
    }

    @Test
    void aMappedNameIsLookedUp() throws Exception {
        NodeAddress reachable = NodeAddress.parse("forwarded:16379");
        Heard heard = new Heard();
        begin(mapped(announced -> announced.equals(NodeAddress.parse("10.0.0.5:6379")) ? reachable : announced), heard);
        await().until(() -> heard.all.size() == 2);
        assertThat(heard.all).containsExactly("reachable forwarded:16379", "found 127.0.0.9:16379");
        assertThat(inside).hasSize(1).doesNotContain(loopThread());
    }

    @Test
    void whatTheMapperThrowsIsTheReason() throws Exception {
        Heard heard = new Heard();
        begin(
                mapped(announced -> {
                    throw new IllegalStateException("no way to\n" + announced);
                }),
                heard);
        await().until(() -> heard.all.size() == 1);
        assertThat(heard.all)
                .containsExactly("UNREACHABLE the address mapper failed: java.lang.IllegalStateException: no way to"
                        + "\\u000a10.0.0.5:6379");
    }

    @Test
    void anExceptionThatThrowsEndsTheSearchAllTheSame() throws Exception {
        Heard heard = new Heard();
        begin(
                mapped(announced -> {
                    throw new HostileError();
                }),
                heard);
        await().until(() -> heard.all.size() == 1);
        assertThat(heard.all).containsExactly("UNREACHABLE the address mapper failed: " + HostileError.class.getName());
    }

    @Test
    @SuppressWarnings("NullAway")
    void nullIsNoAddress() throws Exception {
        Heard heard = new Heard();
        begin(mapped(announced -> null), heard);
        await().until(() -> heard.all.size() == 1);
        assertThat(heard.all).containsExactly("UNREACHABLE the address mapper returned null");
    }

    @Test
    void whatIsAnnouncedAndIsNoAddressIsNotMapped() throws Exception {
        Heard heard = new Heard();
        begin(mapped(announced -> announced), new Target.Host("can ary\n", 1), false, heard);
        await().until(() -> heard.all.size() == 1);
        assertThat(heard.all.get(0))
                .startsWith("UNREACHABLE what is announced is no address: host: 'can ary\\u000a' (");
        assertThat(inside).isEmpty();
    }

    /** It ignores the interrupt, and its thread goes when it returns; meanwhile the client can be closed. */
    @Test
    void aMapperThatBlocksForEverIsAnsweredForInTime() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        AnnouncedAddresses addresses = addresses(
                Optional.of(announced -> {
                    inside.add(Thread.currentThread());
                    while (!ended(end)) {
                        interrupted.countDown();
                    }
                    return announced;
                }),
                SHORT);
        Heard heard = new Heard();
        begin(addresses, heard);
        await().until(() -> heard.all.size() == 1);
        assertThat(heard.all).containsExactly("UNREACHABLE the address mapper has not answered for 50 ms");
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();

        addresses.close();
        runtime.close().toCompletableFuture().join();
        assertThat(inside).hasSize(1).allMatch(Thread::isAlive);
        end.countDown();
        await().until(() -> inside.stream().noneMatch(Thread::isAlive));
        assertThat(heard.all).hasSize(1);
    }

    @Test
    void aCancelledSearchInterruptsTheMapperAndHearsNothing() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        AnnouncedAddresses addresses = mapped(announced -> {
            begun.countDown();
            if (!ended(end)) {
                interrupted.countDown();
            }
            return announced;
        });
        Heard heard = new Heard();
        Whereabouts.Search search = begin(addresses, heard);
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

        onLoop(() -> {
            search.cancel();
            return null;
        });

        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        await().until(() -> inside.stream().noneMatch(this::isInside));
        onLoop(() -> null);
        assertThat(heard.all).isEmpty();
    }

    @Test
    void aSearchThatIsCancelledByItsAskerLooksNothingUp() throws Exception {
        AnnouncedAddresses addresses = mapped(announced -> NodeAddress.parse("forwarded:1"));
        List<Whereabouts.Search> searches = new ArrayList<>();
        Heard heard = new Heard() {
            @Override
            public void reachable(Target.Host host) {
                super.reachable(host);
                searches.get(0).cancel();
            }
        };
        onLoop(() -> searches.add(addresses.whereabouts(ANNOUNCED, loop, false, heard)));
        await().until(() -> heard.all.size() == 1);
        onLoop(() -> null);
        assertThat(heard.all).containsExactly("reachable forwarded:1");
        assertThat(askedNames).isEmpty();
    }

    @Test
    void closingInterruptsTheMapperAndItIsNotCalledAgain() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        AnnouncedAddresses addresses = mapped(announced -> {
            if (!ended(end)) {
                interrupted.countDown();
            }
            return announced;
        });
        begin(addresses, new Heard());
        await().until(() -> inside.size() == 1);

        addresses.close();

        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        begin(addresses, new Heard());
        assertThat(inside).hasSize(1);
    }

    @Test
    void callsThatNeverReturnDoNotAddUp() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        AnnouncedAddresses addresses = addresses(
                Optional.of(announced -> {
                    inside.add(Thread.currentThread());
                    calls.incrementAndGet();
                    while (!ended(end)) {
                        // It takes no notice of interrupts.
                    }
                    return announced;
                }),
                SHORT);
        // One whose time was over before it had a thread leaves nothing behind.
        await().until(() -> answer(addresses).startsWith("UNREACHABLE") && inside.size() == 2);
        for (int i = 0; i < 20; i++) {
            assertThat(answer(addresses)).isEqualTo("UNREACHABLE calls to the address mapper have no answer yet");
        }
        assertThat(calls).hasValue(2);

        end.countDown();
        await().until(() -> {
            Heard again = new Heard();
            begin(addresses, again);
            await().until(() -> !again.all.isEmpty());
            return again.all.contains("found 10.0.0.5:6379");
        });
    }

    @Test
    void aMapperThatNeverBlocksNeedsNoThread() throws Exception {
        AddressMapper known =
                AddressMapper.of(Map.of(NodeAddress.parse("10.0.0.5:6379"), NodeAddress.parse("127.0.0.1:16379")));
        Heard heard = new Heard();
        begin(new AnnouncedAddresses(Optional.of(known), LONG, full(), new Names(), "announced"), heard);
        await().until(() -> heard.all.size() == 2);
        assertThat(heard.all).containsExactly("reachable 127.0.0.1:16379", "found 127.0.0.1:16379");
    }

    private static Executor full() {
        return task -> {
            throw new RejectedExecutionException("full");
        };
    }

    @Test
    void anExecutorWithoutAThreadIsAFailureAndTakesNoPlace() throws Exception {
        AnnouncedAddresses addresses =
                new AnnouncedAddresses(Optional.of(announced -> announced), LONG, full(), new Names(), "announced");
        Heard heard = new Heard();
        for (int i = 0; i < 20; i++) {
            begin(addresses, heard);
        }
        await().until(() -> heard.all.size() == 20);
        assertThat(heard.all)
                .containsOnly("UNREACHABLE the address mapper failed:"
                        + " java.util.concurrent.RejectedExecutionException: full");
    }

    // --- searches that several share ---

    @Test
    void thoseThatLookForOneServerAtATimeShareASearch() throws Exception {
        AnnouncedAddresses addresses = mapped(announced -> {
            ended(end);
            return NodeAddress.parse("forwarded:1");
        });
        List<Heard> all = List.of(new Heard(), new Heard(), new Heard());
        for (Heard heard : all) {
            begin(addresses, heard);
        }
        await().until(() -> inside.size() == 1);
        onLoop(() -> null);
        end.countDown();
        for (Heard heard : all) {
            await().until(() -> heard.all.size() == 2);
            assertThat(heard.all).containsExactly("reachable forwarded:1", "found 127.0.0.9:1");
        }
        assertThat(inside).hasSize(1);
        assertThat(askedNames).hasSize(1);
    }

    @Test
    void anAskerThatComesDuringTheLookupHearsAllOfIt() throws Exception {
        nameServer = new CountDownLatch(1);
        AnnouncedAddresses addresses = mapped(announced -> NodeAddress.parse("forwarded:1"));
        Heard first = new Heard();
        Heard late = new Heard();
        begin(addresses, first);
        await().until(() -> !askedNames.isEmpty());
        begin(addresses, late);
        assertThat(late.all).containsExactly("reachable forwarded:1");
        nameServer.countDown();
        await().until(() -> late.all.size() == 2 && first.all.size() == 2);
        assertThat(late.all).isEqualTo(first.all);
        assertThat(askedNames).hasSize(1);
    }

    @Test
    void oneThatGivesUpLeavesTheSearchToTheOthers() throws Exception {
        AnnouncedAddresses addresses = mapped(announced -> {
            ended(end);
            return announced;
        });
        Heard leaving = new Heard();
        Heard staying = new Heard();
        Whereabouts.Search search = begin(addresses, leaving);
        begin(addresses, staying);
        onLoop(() -> {
            search.cancel();
            return null;
        });
        end.countDown();
        await().until(() -> staying.all.size() == 2);
        assertThat(staying.all).contains("found 10.0.0.5:6379");
        assertThat(leaving.all).isEmpty();
    }

    /** What is remembered is in doubt for it, and the one under way may answer with that. */
    @Test
    void oneThatAsksAnewHasASearchOfItsOwn() throws Exception {
        nameServer = new CountDownLatch(1);
        AnnouncedAddresses addresses = addresses(Optional.empty(), LONG);
        Target.Host named = new Target.Host("redis.internal", 7);
        Heard remembered = new Heard();
        Heard anew = new Heard();
        Heard also = new Heard();
        begin(addresses, named, false, remembered);
        begin(addresses, named, true, anew);
        begin(addresses, named, false, also);
        await().until(() -> askedNames.size() == 2);
        nameServer.countDown();
        await().until(() -> remembered.all.size() == 2 && anew.all.size() == 2 && also.all.size() == 2);
        assertThat(askedNames).containsExactlyInAnyOrder("redis.internal", "anew redis.internal");
    }

    @Test
    void aLookupThatTakesTooLongIsNotWaitedForByOthers() throws Exception {
        nameServer = new CountDownLatch(1);
        AnnouncedAddresses addresses = addresses(Optional.empty(), SHORT);
        Target.Host named = new Target.Host("redis.internal", 7);
        begin(addresses, named, false, new Heard());
        await().until(() -> {
            begin(addresses, named, false, new Heard());
            return askedNames.size() == 2;
        });
        nameServer.countDown();
    }

    /** What the first thing is that an asker hears. */
    private String answer(AnnouncedAddresses addresses) throws Exception {
        Heard heard = new Heard();
        begin(addresses, heard);
        await().until(() -> !heard.all.isEmpty());
        return heard.all.get(0);
    }

    private AnnouncedAddresses mapped(AddressMapper mapper) {
        return addresses(
                Optional.of(announced -> {
                    inside.add(Thread.currentThread());
                    return mapper.map(announced);
                }),
                LONG);
    }

    private AnnouncedAddresses addresses(Optional<AddressMapper> mapper, long budgetNanos) {
        return new AnnouncedAddresses(mapper, budgetNanos, runtime.guests(), new Names(), "announced");
    }

    private Whereabouts.Search begin(AnnouncedAddresses addresses, Heard heard) throws Exception {
        return begin(addresses, ANNOUNCED, false, heard);
    }

    private Whereabouts.Search begin(AnnouncedAddresses addresses, Target.Host announced, boolean anew, Heard heard)
            throws Exception {
        return onLoop(() -> addresses.whereabouts(announced, loop, anew, heard));
    }

    private <T> T onLoop(Callable<T> task) throws Exception {
        return loop.submit(task).get(30, TimeUnit.SECONDS);
    }

    private Thread loopThread() throws Exception {
        return onLoop(Thread::currentThread);
    }

    private boolean isInside(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().startsWith(AnnouncedAddressesTest.class.getName())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the wait ended as it should, and was not interrupted. */
    private static boolean ended(CountDownLatch latch) {
        try {
            return latch.await(50, TimeUnit.SECONDS);
        } catch (InterruptedException given) {
            return false;
        }
    }

    /** What an asker hears, in its order. */
    private class Heard implements AnnouncedAddresses.Asker {

        final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        public void reachable(Target.Host host) {
            add(() -> "reachable " + host.node());
        }

        @Override
        public void found(List<? extends SocketAddress> addresses) {
            InetSocketAddress first = (InetSocketAddress) addresses.get(0);
            add(() -> "found " + first.getAddress().getHostAddress() + ":" + first.getPort());
        }

        @Override
        public void unknown(Kind kind, String reason) {
            add(() -> kind + " " + reason);
        }

        private void add(Supplier<String> news) {
            all.add(loop.inEventLoop() ? news.get() : "not on the loop: " + news.get());
        }
    }

    private final class Names implements NameService {

        @Override
        public List<InetAddress> addresses(String host) throws UnknownHostException {
            askedNames.add(host);
            ended(nameServer);
            return List.of(InetAddress.getByName("127.0.0.9"));
        }

        @Override
        public List<InetAddress> addressesNow(String host) throws UnknownHostException {
            return addresses("anew " + host);
        }
    }

    private static final class HostileError extends Error {

        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            throw new IllegalStateException("hostile");
        }
    }
}
