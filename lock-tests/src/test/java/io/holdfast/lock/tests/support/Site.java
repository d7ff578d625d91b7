package io.holdfast.lock.tests.support;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RedLock;
import io.holdfast.lock.engine.EngineClient;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiFunction;

/** One application: where owners get their locks, whatever these are made of. */
public abstract class Site implements AutoCloseable {

    /** A busy machine is no reason to do without a server. */
    public static final QuorumOptions PATIENT =
            QuorumOptions.builder().nodeTimeout(Duration.ofMillis(500)).build();

    /** What locks are made of. */
    public enum Kind {
        /** One server, one client. */
        SINGLE {
            @Override
            public Site connect(List<RedisServer> servers, ClientOptions options) {
                return of(LockClient.connect(servers.get(0).url(), options));
            }
        },
        /** The same, which asks the server at each hand-over. */
        ASKING {
            @Override
            public Site connect(List<RedisServer> servers, ClientOptions options) {
                ClientOptions asking = options.toBuilder().localHandOver(false).build();
                return of(LockClient.connect(servers.get(0).url(), asking));
            }
        },
        /** The same over the server's Unix socket. */
        SOCKET {
            @Override
            public Site connect(List<RedisServer> servers, ClientOptions options) {
                return of(LockClient.connect(servers.get(0).socketUrl(), options));
            }
        },
        /** The same for a user who can do no harm to others. */
        NARROW {
            @Override
            public Site connect(List<RedisServer> servers, ClientOptions options) {
                return of(LockClient.connect(NarrowUser.url(servers.get(0)), options));
            }
        },
        /** The same in RESP2, for a user who may not say {@code HELLO}. */
        RESP2 {
            @Override
            public Site connect(List<RedisServer> servers, ClientOptions options) {
                RedisServer server = servers.get(0);
                try (RawRedis admin = server.connect()) {
                    admin.command("ACL", "SETUSER", "old", "on", ">secret", "+@all", "-hello", "~*", "&*");
                }
                return of(LockClient.connect(server.url().replace("://", "://old:secret@"), options));
            }
        },
        /** The same by TLS; the client shows a certificate if the server wants one. */
        SECURED {
            @Override
            public Site connect(List<RedisServer> servers, ClientOptions options) {
                RedisServer server = servers.get(0);
                return of(LockClient.connect(server.url(), TrustedTls.options(server, options)));
            }
        },
        /** The fenced locks of one client of one server. */
        FENCED {
            @Override
            public Site connect(List<RedisServer> servers, ClientOptions options) {
                LockClient client = LockClient.connect(servers.get(0).url(), options);
                return of(client, client::getFencedLock);
            }
        },
        /** One client of all servers. */
        QUORUM {
            @Override
            public Site connect(List<RedisServer> servers, ClientOptions options) {
                List<String> urls = servers.stream().map(RedisServer::url).toList();
                return of(LockClient.connectQuorum(urls, options, PATIENT));
            }
        },
        /** The fenced locks of one client of all servers. */
        FENCED_QUORUM {
            @Override
            public Site connect(List<RedisServer> servers, ClientOptions options) {
                List<String> urls = servers.stream().map(RedisServer::url).toList();
                LockClient client = LockClient.connectQuorum(urls, options, PATIENT);
                return of(client, client::getFencedLock);
            }
        },
        /** A client for each server, and locks made of theirs. */
        COMPOSED {
            @Override
            public Site connect(List<RedisServer> servers, ClientOptions options) {
                return composed(servers.stream()
                        .map(server -> LockClient.connect(server.url(), options))
                        .toList());
            }
        };

        public abstract Site connect(List<RedisServer> servers, ClientOptions options);
    }

    /** The lock of this name. */
    public abstract RLock lock(String name, LockOptions options);

    /** The lock of this name, as one of the kinds that share its state on the server. */
    public abstract RLock lock(String name, LockOptions options, LockKind kind);

    /** The clients of which its locks are made. */
    public abstract List<LockClient> clients();

    /** How many calls wait for a lock; empty where nobody can tell. */
    public abstract OptionalInt waiters(String name);

    @Override
    public abstract void close();

    /** An application with one client. */
    public static Site of(LockClient client) {
        return of(client, client::getLock);
    }

    private static Site of(LockClient client, BiFunction<String, LockOptions, ? extends RLock> locks) {
        return new Site() {
            @Override
            public RLock lock(String name, LockOptions options) {
                return locks.apply(name, options);
            }

            @Override
            public RLock lock(String name, LockOptions options, LockKind kind) {
                return ((EngineClient) client).getLock(name, options, kind);
            }

            @Override
            public List<LockClient> clients() {
                return List.of(client);
            }

            @Override
            public OptionalInt waiters(String name) {
                return OptionalInt.of(client.inspect(name).localWaiters());
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }

    private static Site composed(List<LockClient> clients) {
        return new Site() {
            @Override
            public RLock lock(String name, LockOptions options) {
                return RedLock.of(
                        PATIENT,
                        clients.stream()
                                .map(client -> client.getLock(name, options))
                                .toList());
            }

            @Override
            public RLock lock(String name, LockOptions options, LockKind kind) {
                return RedLock.of(
                        PATIENT,
                        clients.stream()
                                .map(client -> ((EngineClient) client).getLock(name, options, kind))
                                .toList());
            }

            @Override
            public List<LockClient> clients() {
                return clients;
            }

            @Override
            public OptionalInt waiters(String name) {
                return OptionalInt.empty();
            }

            @Override
            public void close() {
                clients.forEach(LockClient::close);
            }
        };
    }
}
