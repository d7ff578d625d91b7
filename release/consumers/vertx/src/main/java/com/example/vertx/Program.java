package com.example.vertx;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.netty.util.Version;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;

/** Locks on an event loop of Vert.x, beside an HTTP server, at the given address. */
public final class Program {

    private Program() {}

    public static void main(String[] arguments) {
        Vertx vertx = Vertx.vertx();
        try (LockClient client = LockClient.connect(arguments[0])) {
            vertx.createHttpServer()
                    .requestHandler(request -> request.response().end())
                    .listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            CompletableFuture<Long> token = new CompletableFuture<>();
            vertx.runOnContext(nothing -> client.getLock("stock:42")
                    .acquireAsync()
                    .thenCompose(Program::release)
                    .whenComplete((taken, failure) -> {
                        if (failure == null) {
                            token.complete(taken);
                        } else {
                            token.completeExceptionally(failure);
                        }
                    }));
            System.out.println("locked with token " + token.join() + " beside Vert.x, " + netty());
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static CompletableFuture<Long> release(LockHold hold) {
        return hold.releaseAsync().toCompletableFuture().thenApply(nothing -> hold.fencingToken());
    }

    private static String netty() {
        String version = Version.identify().get("netty-transport").artifactVersion();
        if (!version.startsWith("4.1.")) {
            throw new IllegalStateException("this is Netty " + version + " (expected: 4.1)");
        }
        return "Netty " + version;
    }
}
