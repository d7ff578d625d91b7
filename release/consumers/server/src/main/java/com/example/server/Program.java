package com.example.server;

import io.holdfast.lock.testkit.RedisServer;
import java.io.IOException;

/** Starts a server, says its address, and ends when its input does. */
public final class Program {

    private Program() {}

    public static void main(String[] arguments) throws IOException {
        try (RedisServer server = RedisServer.start()) {
            System.out.println(server.url());
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        }
    }
}
