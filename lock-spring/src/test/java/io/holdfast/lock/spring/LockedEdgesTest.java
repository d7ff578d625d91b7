package io.holdfast.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Beans that others have made: proxies of interfaces, circles, and what else a bean with locked methods has. */
@RedisTest
@Tag("proof")
@Tag("once")
class LockedEdgesTest {

    private static AnnotationConfigApplicationContext context;
    private static LockClient client;
    private static LockClient other;

    /** As those of Spring Data: behind the proxy there is an object of the framework that does not have the methods. */
    interface Repository {

        @Locked("repository")
        boolean isFreeWithin();

        ClassLoader getClassLoader();
    }

    interface Inherited {

        boolean isFreeWithin();
    }

    @Locked("whole")
    interface WholeRepository extends Inherited {}

    interface Mapper {

        @Locked("#{#key}")
        boolean isFreeWithin(String key);
    }

    static class Mixed {

        @Locked("mixed")
        public Mono<Boolean> isFreeWithin() {
            return Mono.fromCallable(() -> isFree("mixed"));
        }

        public ConnectableFlux<Integer> shared() {
            return Flux.range(0, 3).publish();
        }
    }

    static class Hen {

        @Autowired
        private Egg egg;

        @Locked("hen")
        public boolean isFreeWithin() {
            return isFree("hen");
        }

        public boolean throughTheEgg() {
            return egg.askTheHen();
        }
    }

    static class Egg {

        @Autowired
        private Hen hen;

        public boolean askTheHen() {
            return hen.isFreeWithin();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocks
    static class Application {

        @Bean
        Repository repository() {
            return proxy(Repository.class, "repository");
        }

        @Bean
        WholeRepository wholeRepository() {
            return proxy(WholeRepository.class, "whole");
        }

        @Bean
        Mapper mapper() {
            return (Mapper) Proxy.newProxyInstance(
                    Mapper.class.getClassLoader(),
                    new Class<?>[] {Mapper.class},
                    (proxy, method, arguments) ->
                            method.getName().equals("isFreeWithin") ? (Object) isFree("mapper") : "a mapper");
        }

        @Bean
        Mixed mixed() {
            return new Mixed();
        }

        @Bean
        Hen hen() {
            return new Hen();
        }

        @Bean
        Egg egg() {
            return new Egg();
        }
    }

    private static <T> T proxy(Class<T> type, String key) {
        ProxyFactory factory = new ProxyFactory();
        factory.setTarget(new DefaultResourceLoader());
        factory.setInterfaces(type);
        factory.addAdvice((MethodInterceptor) invocation ->
                invocation.getMethod().getName().equals("isFreeWithin") ? (Object) isFree(key) : invocation.proceed());
        return type.cast(factory.getProxy());
    }

    @BeforeAll
    static void start(RedisServer redis) {
        client = LockClient.connect(redis.url());
        other = LockClient.connect(redis.url());
        context = new AnnotationConfigApplicationContext();
        context.registerBean("locks", LockClient.class, () -> client);
        context.register(Application.class);
        context.refresh();
    }

    @AfterAll
    static void stop() {
        context.close();
        client.close();
        other.close();
    }

    private static boolean isFree(String name) {
        return other.getLock(name)
                .tryAcquire()
                .map(hold -> {
                    hold.release();
                    return true;
                })
                .orElse(false);
    }

    @Test
    void aProxyIsLockedByItsInterfacesWhateverIsBehindIt() {
        assertThat(context.getBean(Repository.class).isFreeWithin()).isFalse();
        assertThat(context.getBean(WholeRepository.class).isFreeWithin()).isFalse();
        assertThat(context.getBean(Mapper.class).isFreeWithin("mapper")).isFalse();
        assertThat(isFree("repository") && isFree("whole") && isFree("mapper")).isTrue();
    }

    @Test
    void otherMethodsOfTheBeanGiveWhatTheyGave() {
        Mixed mixed = context.getBean(Mixed.class);
        assertThat(mixed.shared().autoConnect().collectList().block()).containsExactly(0, 1, 2);
        assertThat(mixed.isFreeWithin().block()).isFalse();
    }

    @Test
    void aCircleOfBeansGetsTheProxy() {
        assertThat(context.getBean(Hen.class).throughTheEgg()).isFalse();
        assertThat(isFree("hen")).isTrue();
    }

    static class LastWords implements DisposableBean {

        static final AtomicReference<String> SAID = new AtomicReference<>("nothing");

        private final LockTemplate locks;

        LastWords(LockTemplate locks) {
            this.locks = locks;
        }

        @Override
        public void destroy() {
            SAID.set(locks.call("words", LockHold::name));
        }
    }

    @EnableLocks
    static class Locking {}

    @Test
    void aBeanThatUsesTheTemplateGoesBeforeItsClient(RedisServer redis) {
        AnnotationConfigApplicationContext brief = new AnnotationConfigApplicationContext();
        brief.registerBean(LastWords.class);
        brief.registerBean("locks", LockClient.class, () -> LockClient.connect(redis.url()));
        brief.register(Locking.class);
        brief.refresh();
        brief.close();
        assertThat(LastWords.SAID).hasValue("words");
    }

    /** The subscriber hears of it, and nothing is left behind. */
    @Test
    void aContextMayBeClosedWhileAPublisherHoldsItsLock(RedisServer redis) {
        LockClient brief = LockClient.connect(redis.url());
        ReactiveLockTemplate locks = new ReactiveLockTemplate(new LockTemplate(brief));
        var ended = locks.mono("closed", hold -> Mono.never()).toFuture();
        await().until(() -> !isFree("closed"));
        brief.close();
        await().until(() -> isFree("closed"));
        ended.cancel(true);
        assertThatThrownBy(locks.mono("closed", hold -> Mono.just(1))::block).isInstanceOf(RuntimeException.class);
    }
}
