package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three masters: formed, with slots that move, and gone without a trace. */
@Tag("proof")
class ServerClusterTest {
    private static ServerCluster cluster;

    @BeforeAll
    static void form() {
        cluster = ServerCluster.start(3, 0);
    }

    @BeforeEach
    void reset() {
        cluster.reset();
    }

    @AfterAll
    static void nothingIsLeft() {
        List<RedisServer> nodes = cluster.nodes();
        List<Path> directories = nodes.stream().map(RedisServer::directory).toList();
        cluster.close();
        assertThat(nodes).noneMatch(RedisServer::isAlive);
        assertThat(directories).allSatisfy(directory -> assertThat(directory).doesNotExist());
    }

    @Test
    void eachSlotIsServedByItsMasterAndByNoOther() {
        assertThat(cluster.url())
                .isEqualTo(
                        "redis-cluster://127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d",
                        cluster.nodes().stream().map(RedisServer::port).toArray());
        assertThat(cluster.masters()).isEqualTo(cluster.nodes());
        assertThat(cluster.replicas()).isEmpty();
        for (RedisServer master : cluster.masters()) {
            String key = "{" + cluster.tagAt(master) + "}a";
            assertThat(cluster.masterOf(key)).isSameAs(master);
            for (RedisServer node : cluster.nodes()) {
                if (node == master) {
                    assertThat(Answer.of(node, "SET", key, "1")).isEqualTo("OK");
                } else {
                    assertThat(Answer.of(node, "SET", key, "1"))
                            .isEqualTo("MOVED " + ServerCluster.slotOf(key) + " " + cluster.addressOf(master));
                }
            }
        }
    }

    @Test
    void aSlotMovesWithItsKeys() {
        RedisServer source = cluster.masters().get(0);
        RedisServer target = cluster.masters().get(1);
        String key = "{" + cluster.tagAt(source) + "}a";
        Answer.of(source, "SET", key, "1");
        cluster.moveSlot(ServerCluster.slotOf(key), target);
        assertThat(cluster.masterOf(key)).isSameAs(target);
        assertThat(Answer.of(target, "GET", key)).isEqualTo("1");
        for (RedisServer node : List.of(source, cluster.masters().get(2))) {
            assertThat(Answer.of(node, "GET", key)).startsWith("MOVED ").endsWith(" " + cluster.addressOf(target));
        }
    }

    @Test
    void aMoveThatIsHeldAnswersByWhereTheKeysAre() {
        RedisServer source = cluster.masters().get(2);
        RedisServer target = cluster.masters().get(0);
        String tag = "{" + cluster.tagAt(source) + "}";
        int slot = ServerCluster.slotOf(tag);
        Answer.of(source, "MSET", tag + "a", "1", tag + "b", "2");
        SlotMove move = cluster.beginMove(slot, target);
        assertThat(move.keysLeft()).containsExactlyInAnyOrder(tag + "a", tag + "b");
        assertThat(Answer.of(source, "GET", tag + "a")).isEqualTo("1");
        assertThat(Answer.of(source, "GET", tag + "c")).isEqualTo("ASK " + slot + " " + cluster.addressOf(target));

        assertThat(move.moveKey(tag + "a")).isTrue();
        assertThat(move.moveKey(tag + "a")).isFalse();
        assertThat(Answer.of(source, "GET", tag + "a")).startsWith("ASK ");
        assertThat(Answer.of(source, "MGET", tag + "a", tag + "b")).startsWith("TRYAGAIN ");
        assertThat(Answer.of(target, "GET", tag + "a")).startsWith("MOVED ");
        try (RawRedis raw = target.connect()) {
            assertThat(raw.asking("GET", tag + "a")).isEqualTo("1");
            assertThatThrownBy(() -> raw.asking("MGET", tag + "a", tag + "b")).hasMessageStartingWith("TRYAGAIN");
        }
        assertThatThrownBy(move::finish).hasMessage(move + ": not moved yet: [" + tag + "b]");

        move.callOff();
        assertThat(cluster.masterOf(slot)).isSameAs(source);
        assertThat(Answer.of(source, "MGET", tag + "a", tag + "b")).isEqualTo("[1, 2]");
        assertThat(move.keysMoved()).isEmpty();
    }

    @Test
    void aResetBringsBackSlotsAndNodes() {
        List<RedisServer> before = new ArrayList<>();
        for (int slot = 0; slot < 3; slot++) {
            before.add(cluster.masterOf(slot));
            cluster.moveSlot(slot, cluster.masters().get(1));
        }
        RedisServer pausedOne = cluster.masters().get(0);
        cluster.beginMove(3, cluster.masters().get(2));
        pausedOne.pause();
        cluster.reset();
        for (int slot = 0; slot < 3; slot++) {
            assertThat(cluster.masterOf(slot)).isSameAs(before.get(slot));
        }
        assertThat(Answer.of(pausedOne, "SET", "{" + cluster.tagAt(pausedOne) + "}", "1"))
                .isEqualTo("OK");
        assertThat(Answer.of(pausedOne, "CLUSTER", "NODES")).doesNotContain("->-");
    }
}
