package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisExtensionTest {
    @Nested
    @ExtendWith(RedisExtension.class)
    class Annotated {
        RedisServer redis;

        @RepeatedTest(2)
        void finds_the_server_empty_each_time(RedisServer parameter, RawRedis raw) {
            assertThat(parameter).isSameAs(redis);
            assertThat(raw.integer("DBSIZE")).isZero();
            raw.command("SET", "a", "1");
        }

        @Nested
        class WithAnInnerClass {
            @Test
            void which_uses_the_same_server(RedisServer parameter) {
                assertThat(parameter).isSameAs(redis);
                assertThat(parameter.isAlive()).isTrue();
            }
        }
    }

    @Nested
    @RedisTest(servers = 2, freshPerTest = true, aof = true, options = "maxmemory 10mb")
    class Described {
        RedisServers nodes;

        @RepeatedTest(2)
        void has_servers_of_its_own(RedisServers parameter) {
            assertThat(parameter).isSameAs(nodes).hasSize(2);
            try (RawRedis raw = nodes.get(1).connect()) {
                assertThat(raw.map("CONFIG", "GET", "maxmemory")).containsEntry("maxmemory", "10485760");
                assertThat(raw.map("CONFIG", "GET", "appendonly")).containsEntry("appendonly", "yes");
                assertThat(raw.integer("INCR", "n")).isEqualTo(1);
            }
        }
    }

    @Nested
    class Registered {
        @RegisterExtension
        static final RedisExtension redis =
                RedisExtension.shared().configure(builder -> builder.option("databases", "3"));

        @RegisterExtension
        final RedisExtension nodes = RedisExtension.many(2).freshPerTest();

        @RepeatedTest(2)
        void gives_servers_by_its_methods() {
            assertThat(redis.url()).endsWith(":" + redis.server().port());
            try (RawRedis raw = redis.server().connect()) {
                assertThat(raw.map("CONFIG", "GET", "databases")).containsEntry("databases", "3");
            }
            assertThat(nodes.servers()).hasSize(2);
        }
    }
}
