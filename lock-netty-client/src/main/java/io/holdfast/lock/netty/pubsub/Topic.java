package io.holdfast.lock.netty.pubsub;

import java.util.ArrayList;
import java.util.List;

/**
 * A channel, its listeners, and what the server has been asked about it on the present connection.
 *
 * <p>A listener may leave and another come while the first one's SUBSCRIBE is still under way; its confirmation then
 * says nothing about the newcomer, since an UNSUBSCRIBE is on its heels (rule 29). Every request gets one answer, and
 * answers come in order: so a confirmation counts only when it answers the latest request.
 */
final class Topic {

    final String channel;

    private final List<Listener> listeners = new ArrayList<>();

    /** Whether the latest request on this connection was SUBSCRIBE. */
    private boolean asked;

    /** How many requests have no answer yet. */
    private int unanswered;

    /** Whether the channel's slot is on its way to this node, which has to be told. */
    private final boolean asking;

    Topic(String channel, boolean asking) {
        this.channel = channel;
        this.asking = asking;
    }

    boolean isAsking() {
        return asking;
    }

    void add(Listener listener) {
        listeners.add(listener);
    }

    void remove(Listener listener) {
        listeners.remove(listener);
    }

    boolean isWanted() {
        return !listeners.isEmpty();
    }

    /** Whether messages arrive. */
    boolean isConfirmed() {
        return asked && unanswered == 0;
    }

    /** Whether it has no listener and nothing is under way. */
    boolean isForgettable() {
        return !isWanted() && !asked && unanswered == 0;
    }

    /** Whether the server has to be told to start or to stop. */
    boolean needsRequest() {
        return isWanted() != asked;
    }

    /** SUBSCRIBE, if it has a listener, or else UNSUBSCRIBE was sent. */
    void requested() {
        asked = isWanted();
        unanswered++;
    }

    /** A request was answered; {@code refused} if the server won't do it. */
    void answered(boolean refused) {
        unanswered--;
        if (refused && unanswered == 0) {
            asked = false;
        }
        if (isConfirmed()) {
            for (Listener listener : List.copyOf(listeners)) {
                listener.ready();
            }
        }
    }

    /** The server ended the subscription without being asked. */
    void ended() {
        asked = false;
        tellSilence();
    }

    /** The connection is gone, and all requests with it. */
    void disconnected() {
        asked = false;
        unanswered = 0;
        tellSilence();
    }

    private void tellSilence() {
        for (Listener listener : List.copyOf(listeners)) {
            listener.silent();
        }
    }

    void message(String text) {
        for (Listener listener : List.copyOf(listeners)) {
            listener.message(text);
        }
    }
}
