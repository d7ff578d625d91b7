package io.holdfast.cli.run;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The signals that are passed on to a command in place of ending this process. {@code sun.misc.Signal} is the JDK's only way to
 * hear of them; it is called by reflection, since the compiler warns of each mention and can't be told not to.
 */
public final class Signals {

    /** A signal that came. */
    public record Received(String name, int number) {}

    /** QUIT is not here: the JVM has taken it for its thread dump. Nor is USR1, which the JVM uses itself. */
    private static final List<String> NAMES = List.of("INT", "TERM", "HUP", "USR2", "WINCH", "CONT");

    private Signals() {}

    /** Has these signals told in place of what they do by themselves. */
    public static void handle(Consumer<Received> handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> listener = Class.forName("sun.misc.SignalHandler");
            Method number = signal.getMethod("getNumber");
            Method handle = signal.getMethod("handle", signal, listener);
            for (String name : NAMES) {
                Object known = signalOf(signal, name);
                if (known != null) {
                    Received received = new Received(name, (Integer) number.invoke(known));
                    handle.invoke(null, known, listener(listener, () -> handler.accept(received)));
                }
            }
        } catch (ReflectiveOperationException otherJdk) {
            throw new IllegalStateException(
                    "this JDK has no sun.misc.Signal; the module jdk.unsupported is missing", otherJdk);
        }
    }

    /** Null where the platform has no such signal. */
    private static @Nullable Object signalOf(Class<?> signal, String name) throws ReflectiveOperationException {
        try {
            return signal.getConstructor(String.class).newInstance(name);
        } catch (InvocationTargetException unknown) {
            return null;
        }
    }

    private static Object listener(Class<?> listener, Runnable told) {
        return Proxy.newProxyInstance(
                listener.getClassLoader(),
                new Class<?>[] {listener},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> "signals of holdfast";
                    default -> {
                        told.run();
                        yield null;
                    }
                });
    }
}
