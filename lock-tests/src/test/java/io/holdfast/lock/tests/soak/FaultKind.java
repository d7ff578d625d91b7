package io.holdfast.lock.tests.soak;

import io.holdfast.lock.testkit.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** A way to hurt a server, its network, or a JVM that uses it. */
enum FaultKind {
    SERVER_STOPPED("server stopped (SIGSTOP)", 100, 5_000) {
        @Override
        void begin(Site site, Random random) {
            site.server().pause();
        }

        @Override
        void end(Site site) {
            site.server().resume();
        }
    },
    SERVER_KILLED("server killed (kill -9, append-only file)", 50, 2_500) {
        @Override
        void begin(Site site, Random random) {
            site.server().kill();
        }

        @Override
        void end(Site site) {
            site.server().restart();
        }
    },
    CONNECTIONS_CUT("connections cut", 0, 0) {
        @Override
        void begin(Site site, Random random) {
            List<FaultProxy.Link> links = site.proxy().connections();
            if (random.nextInt(3) == 0 || links.isEmpty()) {
                site.proxy().cutAll();
            } else if (random.nextBoolean()) {
                links.get(random.nextInt(links.size())).cut();
            } else {
                // The server goes on with what it was sent.
                links.get(random.nextInt(links.size())).cutClient();
            }
        }
    },
    REPLIES_SWALLOWED("replies swallowed", 50, 2_500) {
        @Override
        void begin(Site site, Random random) {
            site.proxy().swallowReplies();
        }

        @Override
        void end(Site site) {
            site.proxy().heal();
        }
    },
    REQUESTS_SWALLOWED("requests swallowed", 50, 2_500) {
        @Override
        void begin(Site site, Random random) {
            site.proxy().swallowRequests();
        }

        @Override
        void end(Site site) {
            site.proxy().heal();
        }
    },
    NETWORK_SILENT("network silent, all delivered late", 50, 4_000) {
        @Override
        void begin(Site site, Random random) {
            site.proxy().blackhole();
        }

        @Override
        void end(Site site) {
            site.proxy().heal();
        }
    },
    NETWORK_SLOW("network slow", 500, 5_000) {
        @Override
        void begin(Site site, Random random) {
            site.proxy().delayRequests(Duration.ofMillis(random.nextInt(40)));
            site.proxy().delayReplies(Duration.ofMillis(random.nextInt(40)));
        }

        @Override
        void end(Site site) {
            site.proxy().heal();
        }
    },
    CONNECTIONS_REFUSED("connections refused", 50, 2_000) {
        @Override
        void begin(Site site, Random random) {
            site.proxy().refuse();
            site.proxy().cutAll();
        }

        @Override
        void end(Site site) {
            site.proxy().heal();
        }
    },
    CLIENTS_KILLED("CLIENT KILL", 0, 0) {
        @Override
        void begin(Site site, Random random) {
            site.command("CLIENT", "KILL", "TYPE", random.nextBoolean() ? "normal" : "pubsub", "SKIPME", "yes");
        }
    },
    SCRIPTS_FLUSHED("SCRIPT FLUSH", 0, 0) {
        @Override
        void begin(Site site, Random random) {
            site.command("SCRIPT", "FLUSH");
        }
    },
    JVM_STOPPED("JVM stopped (SIGSTOP) beyond its leases", 500, 6_000) {
        @Override
        void begin(Site site, Random random) {
            throw new IllegalStateException("a JVM is not a server");
        }
    };

    final String words;
    private final int leastMillis;
    private final int mostMillis;

    FaultKind(String words, int leastMillis, int mostMillis) {
        this.words = words;
        this.leastMillis = leastMillis;
        this.mostMillis = mostMillis;
    }

    boolean hurtsJvm() {
        return this == JVM_STOPPED;
    }

    abstract void begin(Site site, Random random);

    void end(Site site) {}

    /** For how long it lasts this time. */
    long lengthMillis(Random random) {
        return leastMillis == mostMillis ? leastMillis : leastMillis + random.nextInt(mostMillis - leastMillis);
    }
}
