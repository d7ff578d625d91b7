package io.holdfast.lock.netty.pubsub;

import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Wakeup;
import java.net.SocketAddress;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** The subscriptions at one of several nodes. Any thread. */
public interface NodeMessages {

    /** Subscribes to a channel; the wake-up hears of the confirmation. */
    Subscription subscribe(byte[] channel, Wakeup wakeup);

    /** The same at a node that the channel's slot is on its way to. */
    Subscription subscribeAsking(byte[] channel, Wakeup wakeup);

    /**
     * Connects to this address of the node's host from now on.
     *
     * @param nowSharded whether messages of a slot are told there and nowhere else
     */
    void follow(SocketAddress address, boolean nowSharded);

    /** Whether there is a subscription. On the event loop. */
    boolean isWanted();

    /** Ends the connection if there is no subscription, until there is one. On the event loop. */
    void rest(String why);

    /** How the connection stands. */
    Stream<NodeConnection> look();

    /** Ends the connection, any number of times. */
    CompletionStage<Void> close();
}
