package com.example.grpc;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.netty.util.Version;

/** Locks beside a gRPC server, at the given address. */
public final class Program {

    private Program() {}

    public static void main(String[] arguments) throws Exception {
        Server server = NettyServerBuilder.forPort(0).build().start();
        try (LockClient client = LockClient.connect(arguments[0]);
                LockHold hold = client.getLock("stock:42").acquire()) {
            System.out.println("locked with token " + hold.fencingToken() + " beside gRPC, " + netty());
        } finally {
            server.shutdownNow().awaitTermination();
        }
    }

    private static String netty() {
        String version = Version.identify().get("netty-transport").artifactVersion();
        if (!version.startsWith("4.1.")) {
            throw new IllegalStateException("this is Netty " + version + " (expected: 4.1)");
        }
        return "Netty " + version;
    }
}
