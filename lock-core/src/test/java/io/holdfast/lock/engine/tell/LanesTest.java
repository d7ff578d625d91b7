package io.holdfast.lock.engine.tell;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockListener;
import io.holdfast.lock.engine.ManualRuntime;
import io.holdfast.lock.engine.call.Callbacks;
import io.holdfast.lock.engine.call.LogLimit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One lane for each listener, by its identity. */
class LanesTest {

    /** Says that it equals all others, and can't be put anywhere. */
    private static final class Odd implements LockListener {

        @Override
        public boolean equals(Object other) {
            return true;
        }

        @Override
        public int hashCode() {
            throw new IllegalStateException("code of users");
        }
    }

    private final ManualRuntime runtime = new ManualRuntime(1);
    private final Lanes lanes = new Lanes(new Callbacks(runtime, Optional.empty()), new LogLimit(runtime));

    @Test
    void aListenerHasOneLaneInWhateverListItIs() {
        LockListener one = new Odd();
        LockListener other = new Odd();
        ListenerLane lane = lanes.of(List.of(one)).get(0);
        List<ListenerLane> both = lanes.of(List.of(other, one));
        assertThat(both.get(1)).isSameAs(lane);
        assertThat(both.get(0)).isNotSameAs(lane);
        assertThat(both.get(0).listener).isSameAs(other);
    }

    @Test
    void theLanesOfOneListAreThoseOfTheLastTime() {
        List<LockListener> listeners = List.of(new Odd(), new Odd());
        assertThat(lanes.of(listeners)).isSameAs(lanes.of(listeners));
    }
}
