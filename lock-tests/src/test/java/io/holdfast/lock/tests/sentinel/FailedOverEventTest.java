package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ConnectionEvent;
import io.holdfast.lock.ConnectionEvent.Change;
import io.holdfast.lock.ConnectionPurpose;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.testkit.RedisServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a listener hears of the connections when Sentinels replace the primary. */
@Tag("proof")
class FailedOverEventTest extends SentinelTest {

    private final List<ConnectionEvent> heard = new CopyOnWriteArrayList<>();

    @Test
    void theConnectionToTheNewPrimaryHasFailedOver() {
        LockListener listener = new LockListener() {
            @Override
            public void connection(ConnectionEvent event) {
                heard.add(event);
            }
        };
        LockOptions options = LockOptions.builder().listener(listener).build();
        connect(group.url(), options().lockOptions(options).build());
        eventually(() -> assertThat(ofCommands()).isNotEmpty());
        eventually(() -> assertThat(heard)
                .filteredOn(event -> event.purpose() == ConnectionPurpose.SENTINEL && event.change() == Change.UP)
                .extracting(ConnectionEvent::node)
                .hasSize(group.sentinels().size())
                .doesNotHaveDuplicates());
        RedisServer old = group.primary();
        old.kill();
        RedisServer now = group.awaitOtherPrimary(old);
        eventually(() -> assertThat(ofCommands()).last().satisfies(event -> {
            assertThat(event.change()).isEqualTo(Change.FAILED_OVER);
            assertThat(event.node()).isEqualTo(group.addressOf(now));
            assertThat(event.detail().orElseThrow()).contains(group.addressOf(old));
        }));
        assertThat(ofCommands().get(0).change()).isEqualTo(Change.UP);
        assertThat(ofCommands().get(0).node()).isEqualTo(group.addressOf(old));
        assertThat(ofCommands().get(1).change()).isEqualTo(Change.DOWN);
    }

    private List<ConnectionEvent> ofCommands() {
        return heard.stream()
                .filter(event -> event.purpose() == ConnectionPurpose.COMMANDS)
                .toList();
    }
}
