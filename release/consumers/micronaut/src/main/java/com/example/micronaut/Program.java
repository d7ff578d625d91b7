package com.example.micronaut;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import io.netty.util.Version;
import java.util.Map;

/** Locks beside a server of Micronaut, at the given address. */
public final class Program {

    private Program() {}

    public static void main(String[] arguments) throws Exception {
        try (EmbeddedServer server =
                        ApplicationContext.run(EmbeddedServer.class, Map.of("micronaut.server.port", -1));
                LockClient client = LockClient.connect(arguments[0]);
                LockHold hold = client.getLock("stock:42").acquire()) {
            System.out.println("locked with token " + hold.fencingToken() + " beside Micronaut, " + netty());
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
