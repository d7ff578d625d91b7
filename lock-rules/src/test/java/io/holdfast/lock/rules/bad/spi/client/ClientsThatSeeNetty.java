package io.holdfast.lock.rules.bad.spi.client;

import io.netty.channel.Channel;

/** Makes clients, and knows a transport. */
final class ClientsThatSeeNetty {

    private ClientsThatSeeNetty() {}

    static boolean isOpen(Channel channel) {
        return channel.isOpen();
    }
}
