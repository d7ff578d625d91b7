package io.holdfast.lock.boot;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.text.Printable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * What this process holds and waits for, and who holds a lock. A name is data and nothing else: it leads to a lock, whatever
 * characters it has. To free a lock by force is only for those who set {@code management.endpoint.holdfast.access=unrestricted}.
 *
 * <p>Spring Boot 3.5 tells optional parameters by Spring's own annotation, later ones by JSpecify's.
 */
@SuppressWarnings("deprecation")
@Endpoint(id = "holdfast", defaultAccess = Access.READ_ONLY)
final class HoldfastEndpoint {

    private final ConfigurableListableBeanFactory beans;

    HoldfastEndpoint(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * The holds and the waiting calls of each client, by its bean's name, for which no server is asked; with a name, who holds
     * that lock.
     *
     * @param name as a query parameter, for names that can't be in a path
     * @param client the bean or the qualifier of the client, where there are several
     */
    @ReadOperation
    Object look(
            @org.springframework.lang.Nullable @Nullable String name,
            @org.springframework.lang.Nullable @Nullable String client) {
        return name == null ? own() : inspected(name, client);
    }

    /** Who holds the lock of a name, which may have slashes in it. */
    @ReadOperation
    LockView inspect(
            @Selector(match = Selector.Match.ALL_REMAINING) String[] name,
            @org.springframework.lang.Nullable @Nullable String client) {
        return inspected(lockName(name), client);
    }

    /** Frees the lock of a name by force, of all that hold it, readers too, and says whether it was held. */
    @DeleteOperation
    Freed free(String name, @org.springframework.lang.Nullable @Nullable String client) {
        return asked(() -> new Freed(name, chosen(client).getLock(name).forceUnlock()));
    }

    /** As {@link #free}, of a name in the path. */
    @DeleteOperation
    Freed freeSelected(
            @Selector(match = Selector.Match.ALL_REMAINING) String[] name,
            @org.springframework.lang.Nullable @Nullable String client) {
        return free(lockName(name), client);
    }

    private Map<String, ClientView> own() {
        Map<String, ClientView> views = new TreeMap<>();
        clients().forEach((name, client) -> views.put(name, ClientView.of(client)));
        return views;
    }

    private LockView inspected(String name, @Nullable String client) {
        return asked(() -> LockView.of(chosen(client).inspect(name)));
    }

    private static String lockName(String[] parts) {
        return String.join("/", parts);
    }

    private LockClient chosen(@Nullable String wanted) {
        Map<String, LockClient> clients = clients();
        List<Map.Entry<String, LockClient>> fitting = clients.entrySet().stream()
                .filter(bean ->
                        wanted == null ? isDefault(bean.getKey(), clients.size()) : isCalled(bean.getKey(), wanted))
                .toList();
        if (fitting.size() > 1) {
            fitting = fitting.stream().filter(bean -> isPrimary(bean.getKey())).toList();
        }
        if (fitting.size() != 1) {
            throw new IllegalArgumentException(
                    "client: " + (wanted == null ? "not named" : "'" + Printable.of(wanted) + "'")
                            + " (expected: one of " + Printable.message(clients.keySet()) + ")");
        }
        return fitting.get(0).getValue();
    }

    private boolean isDefault(String bean, int clients) {
        return clients == 1
                || (beans.containsBeanDefinition(bean)
                        && beans.getMergedBeanDefinition(bean) instanceof AbstractBeanDefinition definition
                        && definition.isDefaultCandidate());
    }

    private boolean isPrimary(String bean) {
        return beans.containsBeanDefinition(bean)
                && beans.getMergedBeanDefinition(bean).isPrimary();
    }

    private boolean isCalled(String bean, String wanted) {
        return bean.equals(wanted) || BeanFactoryAnnotationUtils.isQualifierMatch(wanted::equals, bean, beans);
    }

    private Map<String, LockClient> clients() {
        return beans.getBeansOfType(LockClient.class, false, true);
    }

    /** A name or a client that is refused is the fault of the request. */
    private static <T> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (IllegalArgumentException refused) {
            String reason = Printable.message(refused.getMessage());
            throw new InvalidEndpointRequestException(reason, reason);
        }
    }

    /** Whether a lock was held when it was freed. */
    record Freed(String name, boolean wasHeld) {}
}
