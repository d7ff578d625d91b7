package io.holdfast.lock.boot;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.spring.LockAssert;
import io.holdfast.lock.spring.LockTemplate;
import io.holdfast.lock.spring.Locked;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The least application: it takes a lock each way, says so, and ends. Its first argument is a class that it must not have. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(SmallApplication.Orders.class)
class SmallApplication {

    static class Orders {

        @Locked("order:#{#id}")
        public long ship(String id, LockHold hold) {
            LockAssert.assertLocked("order:" + id);
            return hold.fencingToken();
        }

        @Locked("order:#{#id}")
        public CompletionStage<String> shipLater(String id) {
            return CompletableFuture.completedFuture("later");
        }
    }

    public static void main(String[] arguments) throws Exception {
        if (isPresent(arguments[0])) {
            throw new IllegalStateException(arguments[0] + " is there");
        }
        try (ConfigurableApplicationContext context = SpringApplication.run(SmallApplication.class, arguments)) {
            Orders orders = context.getBean(Orders.class);
            long token = orders.ship("7", null);
            String later = orders.shipLater("7").toCompletableFuture().get();
            String template = context.getBean(LockTemplate.class).call("order:7", hold -> "template");
            System.out.println("locked by token " + token + ", " + later + ", " + template);
        }
    }

    private static boolean isPresent(String name) {
        try {
            Class.forName(name);
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }
}
