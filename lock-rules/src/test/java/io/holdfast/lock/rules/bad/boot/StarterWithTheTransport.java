package io.holdfast.lock.rules.bad.boot;

import io.netty.buffer.ByteBuf;
import org.springframework.boot.SpringApplication;

/** Breaks: the starter uses what applications use. */
interface StarterWithTheTransport {
    ByteBuf buffer();

    SpringApplication application();
}
