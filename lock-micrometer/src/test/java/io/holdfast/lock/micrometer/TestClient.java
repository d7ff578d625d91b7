package io.holdfast.lock.micrometer;

import io.holdfast.lock.ConnectionInfo;
import io.holdfast.lock.ConnectionPurpose;
import io.holdfast.lock.HeldLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.WaitingCall;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A client that has what a test gives it: names of locks that it holds and wants, and connections. */
final class TestClient {

    final List<String> holds = new ArrayList<>();
    final List<String> waiters = new ArrayList<>();
    final List<ConnectionInfo> connections = new ArrayList<>();
    final AtomicInteger looks = new AtomicInteger();
    boolean closed;

    final LockClient client = proxy(LockClient.class, this::answer);

    TestClient holding(String... names) {
        holds.addAll(List.of(names));
        return this;
    }

    TestClient connectedTo(String node, boolean up, int queued) {
        connections.add(new Connection(node, ConnectionPurpose.COMMANDS, up, queued));
        return this;
    }

    private Object answer(String method) {
        return switch (method) {
            case "holds" -> {
                looks.incrementAndGet();
                yield holds.stream().map(name -> named(HeldLock.class, name)).toList();
            }
            case "waiters" ->
                waiters.stream().map(name -> named(WaitingCall.class, name)).toList();
            case "connections" -> List.copyOf(connections);
            case "isClosed" -> closed;
            case "id" -> "test";
            default -> throw new UnsupportedOperationException(method);
        };
    }

    private static <T> T named(Class<T> type, String name) {
        return proxy(type, method -> name);
    }

    private interface Answer {
        Object to(String method);
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answer.to(method.getName())));
    }

    private record Connection(String node, ConnectionPurpose purpose, boolean up, int queued)
            implements ConnectionInfo {}
}
