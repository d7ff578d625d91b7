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
import org.springframework.beans.factory.FactoryBean;
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

    private static LockedApplication application;

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
        application = new LockedApplication(redis, Application.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static boolean isFree(String name) {
        return application.isFree(name);
    }

    @Test
    void aProxyIsLockedByItsInterfacesWhateverIsBehindIt() {
        assertThat(application.bean(Repository.class).isFreeWithin()).isFalse();
        assertThat(application.bean(WholeRepository.class).isFreeWithin()).isFalse();
        assertThat(application.bean(Mapper.class).isFreeWithin("mapper")).isFalse();
        assertThat(isFree("repository") && isFree("whole") && isFree("mapper")).isTrue();
    }

    @Test
    void otherMethodsOfTheBeanGiveWhatTheyGave() {
        Mixed mixed = application.bean(Mixed.class);
        assertThat(mixed.shared().autoConnect().collectList().block()).containsExactly(0, 1, 2);
        assertThat(mixed.isFreeWithin().block()).isFalse();
    }

    @Test
    void aCircleOfBeansGetsTheProxy() {
        assertThat(application.bean(Hen.class).throughTheEgg()).isFalse();
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

    interface Base<T> {

        @Locked("generic:#{#key}")
        boolean isFreeWithin(T key);

        @Locked("default:#{#key}")
        default boolean isFreeByDefault(T key) {
            return isFree("default:" + key);
        }
    }

    abstract static class Half<T> implements Base<T> {

        @Locked(value = "half:#{#key}", name = "once")
        public long token(T key, LockHold hold) {
            return hold.fencingToken();
        }
    }

    static class Impl extends Half<String> {

        @Override
        public boolean isFreeWithin(String key) {
            return isFree("generic:" + key);
        }

        @Override
        public long token(String key, LockHold hold) {
            return super.token(key, hold);
        }
    }

    static class Made implements FactoryBean<Base<String>> {

        @Override
        public Base<String> getObject() {
            return new Impl();
        }

        @Override
        public Class<?> getObjectType() {
            return Base.class;
        }
    }

    @Test
    void methodsOfTypesWithParametersAreFoundInParentsAndFactories() {
        AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
        child.setParent(application.context);
        child.registerBean("impl", Impl.class);
        child.registerBean("made", Made.class);
        child.register(Locking.class);
        child.refresh();
        try (child) {
            Base<String> impl = child.getBean("impl", Impl.class);
            Base<String> made = (Base<String>) child.getBean("made");
            assertThat(impl.isFreeWithin("1")).isFalse();
            assertThat(impl.isFreeByDefault("1")).isFalse();
            assertThat(made.isFreeWithin("1")).isFalse();
            assertThat(made.isFreeByDefault("1")).isFalse();
            assertThat(((Half<String>) impl).token("1", null)).isPositive();
        }
        assertThat(isFree("generic:1") && isFree("default:1") && isFree("half:1"))
                .isTrue();
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
