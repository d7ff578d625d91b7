package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.ConnectionEvent;
import io.holdfast.lock.ConnectionEvent.Change;
import io.holdfast.lock.ConnectionPurpose;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What a listener hears of its client's connections, when the server goes and comes back, and when the client is closed. */
class ConnectionEventsTest extends ServerTest {

    private final List<ConnectionEvent> heard = new CopyOnWriteArrayList<>();
    private final LockListener listener = new LockListener() {
        @Override
        public void connection(ConnectionEvent event) {
            heard.add(event);
        }
    };

    @Test
    void connectionsComeAndGoAndComeBack() {
        LockOptions options = LockOptions.builder().listener(listener).build();
        LockClient client = connect(ClientOptions.builder().lockOptions(options).build());
        eventually(() -> assertThat(changes(ConnectionPurpose.COMMANDS)).containsExactly(Change.UP));
        assertThat(heard.get(0).failureReason()).isEmpty();
        LockHold hold = Futures.get(client.getLock("stock").acquireAsync());
        RFuture<LockHold> waiting = client.getLock("stock").acquireAsync();
        eventually(() -> assertThat(changes(ConnectionPurpose.MESSAGES)).containsExactly(Change.UP));

        redis.kill();
        eventually(() ->
                assertThat(changes(ConnectionPurpose.COMMANDS)).startsWith(Change.UP, Change.DOWN, Change.UNREACHABLE));
        redis.restart();
        eventually(() -> assertThat(changes(ConnectionPurpose.COMMANDS)).last().isEqualTo(Change.UP));
        eventually(() -> assertThat(changes(ConnectionPurpose.MESSAGES)).last().isEqualTo(Change.UP));

        // The server has forgotten the lock, and the call that waited has got it.
        Futures.get(waiting).close();
        assertThatThrownBy(hold::close).isInstanceOf(LockLostException.class);
        client.close();
        eventually(() -> assertThat(heard)
                .filteredOn(event -> event.failureReason().equals(Optional.of(FailureReason.CLIENT_CLOSED)))
                .extracting(ConnectionEvent::purpose)
                .containsExactlyInAnyOrder(ConnectionPurpose.COMMANDS, ConnectionPurpose.MESSAGES));
        assertThat(heard).extracting(ConnectionEvent::node).containsOnly(redis.host() + ":" + redis.port());
        assertThat(heard)
                .filteredOn(event -> event.change() == Change.DOWN || event.change() == Change.UNREACHABLE)
                .allSatisfy(event -> assertThat(event.detail()).isPresent());
    }

    private List<Change> changes(ConnectionPurpose purpose) {
        return heard.stream()
                .filter(event -> event.purpose() == purpose)
                .map(ConnectionEvent::change)
                .toList();
    }
}
