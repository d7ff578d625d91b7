package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Several listeners as one, where a user's own code calls it: each part hears everything, with its own context. */
class ListenerListTest {

    private final List<String> heard = new ArrayList<>();

    /** A listener that writes down what it hears, and the context of events. */
    private LockListener part(String name) {
        return (LockListener) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {LockListener.class}, (self, method, arguments) -> {
                    Object told = arguments[0];
                    String context = told instanceof LockEvent event ? " " + event.context() : "";
                    heard.add(name + " " + method.getName() + context);
                    return method.getName().equals("started") ? "context of " + name : null;
                });
    }

    @Test
    void everyMethodReachesEachPart() throws Exception {
        LockListener both = LockListener.of(part("a"), part("b"));
        for (Method method : LockListener.class.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers())) {
                heard.clear();
                method.invoke(both, argument(method.getParameterTypes()[0]));
                assertThat(heard.stream().map(each -> each.split(" ")[0] + " " + each.split(" ")[1]))
                        .as(method.getName())
                        .containsExactly("a " + method.getName(), "b " + method.getName());
            }
        }
    }

    @Test
    void eachPartHasItsOwnContext() {
        LockListener both = LockListener.of(part("a"), part("b"));
        Object context = both.started("stock");
        heard.clear();
        both.acquired(event(context));
        assertThat(heard).containsExactly("a acquired context of a", "b acquired context of b");
    }

    @Test
    void aPartThatFailsAtTheStartKeepsNoOtherFromItsContext() {
        LockListener failing = new LockListener() {
            @Override
            public Object started(String lockName) {
                throw new IllegalStateException("a bug of the application");
            }
        };
        LockListener both = LockListener.of(failing, part("b"));
        LockEvent event = event(both.started("stock"));
        heard.clear();
        assertThatThrownBy(() -> both.waiting(event)).hasMessage("a bug of the application");
        both.acquired(event);
        assertThat(heard).containsExactly("b waiting context of b", "b acquired context of b");
    }

    private static Object argument(Class<?> type) {
        if (type == String.class) {
            return "stock";
        }
        return type == long.class ? 7L : Objects.requireNonNull(proxy(type, null));
    }

    private static LockEvent event(Object context) {
        return (LockEvent) proxy(LockEvent.class, context);
    }

    private static Object proxy(Class<?> type, Object context) {
        return Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> method.getName().equals("context")
                        ? context
                        : type.getSimpleName() + Arrays.toString(arguments));
    }
}
