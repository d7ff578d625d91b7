package io.holdfast.lock.netty.cluster;

import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Wakeup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions to channels, each at the primary of its slot; while the slot is on its way to another node, there as well.
 *
 * <p>Belongs to the event loop, but for {@link #subscribe}.
 */
final class SlotSubscriptions {

    private final Executor steps;
    private final Map<Integer, List<Open>> bySlot = new HashMap<>();

    /** @param steps runs steps on the event loop: at once, if it is asked there */
    SlotSubscriptions(Executor steps) {
        this.steps = steps;
    }

    /** How the primary of a slot is found; null while it is not known. */
    interface Primaries {

        @Nullable
        ClusterNode primary(int slot);
    }

    /** Subscribes until the subscription is closed. Any thread. */
    Subscription subscribe(int slot, byte[] channel, Wakeup wakeup, Primaries primaries) {
        Open open = new Open(slot, channel, wakeup);
        steps.execute(() -> {
            if (!open.closed) {
                bySlot.computeIfAbsent(slot, first -> new ArrayList<>()).add(open);
                ClusterNode primary = primaries.primary(slot);
                if (primary != null) {
                    open.openAt(primary, true);
                }
            }
        });
        return open;
    }

    /** A slot has another primary, or none that is known. */
    void moved(int slot, @Nullable ClusterNode primary) {
        for (Open open : open(slot)) {
            open.leaveAll();
            if (primary != null) {
                open.openAt(primary, true);
            }
        }
    }

    /** A slot is on its way to a node, which has some of its keys already: what is released there is published there. */
    void alsoAt(int slot, ClusterNode node) {
        open(slot).forEach(open -> open.openAt(node, false));
    }

    private List<Open> open(int slot) {
        List<Open> open = bySlot.isEmpty() ? null : bySlot.get(slot);
        return open == null ? List.of() : List.copyOf(open);
    }

    private void remove(Open open) {
        List<Open> ofSlot = bySlot.get(open.slot);
        if (ofSlot != null && ofSlot.remove(open) && ofSlot.isEmpty()) {
            bySlot.remove(open.slot);
        }
        open.leave();
    }

    /** One subscription, as its subscriber sees it. */
    private final class Open implements Subscription {

        final int slot;
        private final byte[] channel;
        private final Wakeup wakeup;
        private final Map<ClusterNode, Subscription> at = new LinkedHashMap<>();
        private volatile boolean closed;

        Open(int slot, byte[] channel, Wakeup wakeup) {
            this.slot = slot;
            this.channel = channel;
            this.wakeup = wakeup;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                steps.execute(() -> remove(this));
            }
        }

        void openAt(ClusterNode node, boolean isPrimary) {
            if (!at.containsKey(node)) {
                Wakeup there = new AtNode(isPrimary);
                at.put(
                        node,
                        isPrimary
                                ? node.messages.subscribe(channel, there)
                                : node.messages.subscribeAsking(channel, there));
            }
        }

        void leaveAll() {
            boolean listened = !at.isEmpty();
            leave();
            if (listened && !closed) {
                wakeup.silent();
            }
        }

        void leave() {
            at.values().forEach(Subscription::close);
            at.clear();
        }

        private final class AtNode implements Wakeup {

            private final boolean isPrimary;

            AtNode(boolean isPrimary) {
                this.isPrimary = isPrimary;
            }

            @Override
            public void ready() {
                if (!closed) {
                    wakeup.ready();
                }
            }

            @Override
            public void silent() {
                if (isPrimary && !closed) {
                    wakeup.silent();
                }
            }

            @Override
            public void message(String text) {
                if (!closed) {
                    wakeup.message(text);
                }
            }
        }
    }
}
