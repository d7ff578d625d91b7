package io.holdfast.lock.netty.topology;

import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.Inquiry;
import io.holdfast.lock.netty.connection.IoLoops;
import io.holdfast.lock.netty.connection.LastLogin;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * That one of several servers which is the primary: all are asked at once, at each attempt.
 *
 * <p>When one has called itself primary, the others have a little longer to contradict it.
 */
public final class PrimaryOf implements Whereabouts {

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long TO_CONTRADICT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final List<ConnectionSettings> servers;
    /** What each of the servers took last, in their order. */
    private final List<LastLogin> lastLogins;

    private final IoLoops loops;
    private final Runtime runtime;
    private final PrimaryChoice choice = new PrimaryChoice();

    /** @param servers how to connect to each of them */
    public PrimaryOf(List<ConnectionSettings> servers, IoLoops loops, Runtime runtime) {
        this.servers = List.copyOf(servers);
        this.lastLogins = servers.stream().map(server -> new LastLogin()).toList();
        this.loops = loops;
        this.runtime = runtime;
    }

    @Override
    public long againNanos() {
        return AGAIN_NANOS;
    }

    @Override
    public Search ask(EventLoop loop, boolean anew, Asker asker) {
        Poll poll = new Poll(loop, asker, false);
        poll.begin(anew);
        return poll;
    }

    /** Another primary counts only if it is the successor, or if all servers have spoken. */
    @Override
    public Search askAgain(EventLoop loop, Asker asker) {
        Poll poll = new Poll(loop, asker, true);
        poll.begin(false);
        return poll;
    }

    /** So long, or a part of what an attempt to connect may take, if that is less. */
    private static long share(long nanos, ConnectionSettings server, int part) {
        return Math.min(nanos, server.connectTimeoutNanos() / part);
    }

    /** One round of questions. */
    private final class Poll implements Search {

        private final EventLoop loop;
        private final Asker asker;
        private final boolean mustBeSure;
        private final List<Inquiry> inquiries = new ArrayList<>();
        private final List<Claim> claims = new ArrayList<>();
        private final List<Fault> obstacles = new ArrayList<>();
        private @Nullable ScheduledFuture<?> lastWord;
        private boolean over;

        Poll(EventLoop loop, Asker asker, boolean mustBeSure) {
            this.loop = loop;
            this.asker = asker;
            this.mustBeSure = mustBeSure;
        }

        void begin(boolean anew) {
            for (int i = 0; i < servers.size(); i++) {
                ConnectionSettings server = servers.get(i);
                inquiries.add(new Inquiry(
                                loop,
                                loops,
                                server,
                                runtime,
                                lastLogins.get(i),
                                share(LONGEST_NANOS, server, 2),
                                anew,
                                null,
                                new Answer(server),
                                List.<String[]>of(new String[] {"INFO", "replication"}))
                        .begin());
            }
        }

        @Override
        public void cancel() {
            over = true;
            if (lastWord != null) {
                lastWord.cancel(false);
            }
            inquiries.forEach(Inquiry::cancel);
        }

        private void heard() {
            if (over) {
                return;
            }
            if (claims.size() + obstacles.size() == servers.size()) {
                decide();
            } else if (lastWord == null && choice.isPlain(claims)) {
                long patienceNanos = share(TO_CONTRADICT_NANOS, servers.get(0), 4);
                lastWord = loop.schedule(this::decide, patienceNanos, TimeUnit.NANOSECONDS);
            }
        }

        private void decide() {
            if (over) {
                return;
            }
            cancel();
            boolean isSure = choice.isPlain(claims) || claims.size() == servers.size();
            if (mustBeSure && !isSure) {
                asker.unknown(Kind.UNREACHABLE, "no sure answer (" + said() + ")");
                return;
            }
            List<SocketAddress> addresses =
                    choice.among(claims).stream().map(Claim::address).toList();
            if (addresses.isEmpty()) {
                asker.unknown(kind(), "no server is known to be the primary (" + said() + ")");
            } else {
                asker.found(addresses);
            }
        }

        /** A server that will go on refusing us, as with a wrong password, may be the primary. */
        private Kind kind() {
            return obstacles.stream()
                    .map(Fault::kind)
                    .filter(kind -> !kind.isTransient())
                    .findFirst()
                    .orElse(Kind.UNREACHABLE);
        }

        private String said() {
            List<String> said = new ArrayList<>();
            obstacles.forEach(fault -> said.add(fault.toString()));
            claims.forEach(claim -> said.add(claim.node() + (claim.isPrimary() ? " was succeeded" : " is a replica")));
            return String.join("; ", said);
        }

        private final class Answer implements Inquiry.Asker {

            private final ConnectionSettings server;

            Answer(ConnectionSettings server) {
                this.server = server;
            }

            @Override
            public void answered(Inquiry.Answers answers) {
                claims.add(Claim.of(
                        server.node(), answers.server(), answers.values().get(0)));
                heard();
            }

            @Override
            public void failed(Fault fault) {
                obstacles.add(fault);
                heard();
            }
        }
    }
}
