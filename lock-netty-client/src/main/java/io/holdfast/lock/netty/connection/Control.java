package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.resp.RespValue;

/** A command of the connection's own, in flight among the script calls. It has no deadline and needs no end. */
interface Control {

    /** A command whose answer says nothing but that the server lives. */
    Control PING = reply -> {};

    void onReply(RespValue reply);
}
