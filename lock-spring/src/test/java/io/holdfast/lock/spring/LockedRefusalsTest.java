package io.holdfast.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ReactiveTypeDescriptor;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.scheduling.annotation.Async;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Mono;

/** What is refused when the bean is made, and what at a call, each with a sentence that names it. Without a context. */
class LockedRefusalsTest {

    private final DefaultListableBeanFactory factory = factory();
    private final LockedMethods methods =
            new LockedMethods(new LockPlans(factory, new ClientLookup(factory), () -> Duration.ofSeconds(10)));

    @Retention(RetentionPolicy.RUNTIME)
    @Locked(waitFor = "0s", onTimeout = OnTimeout.SKIP)
    @interface Once {

        @AliasFor(annotation = Locked.class, attribute = "keys")
        String[] value();
    }

    @SuppressWarnings("unused")
    static class Bad {

        public String region = "eu";

        @Locked("order:#{#id")
        public void unparsable(String id) {}

        @Locked("order:#{#ids}")
        public void misspelt(String id) {}

        @Locked("order:#{id}")
        public void withoutSign(String id) {}

        @Locked("#{#p1}")
        public void noSuchIndex(String id) {}

        @Locked("#{next()}")
        public void noSuchMethod() {}

        @Locked({})
        public void noKey() {}

        @Locked("")
        public void emptyKey() {}

        @Locked(value = "a", waitFor = "soon")
        public void noDuration() {}

        @Locked(value = "a", waitFor = "-1s")
        public void negative() {}

        @Locked(value = "a", waitFor = "366d")
        public void tooLong() {}

        @Locked(value = "a", lease = "5ms")
        public void shortLease() {}

        @Locked(value = "a", lease = "1s", atLeast = "2s")
        public void shorterThanAtLeast() {}

        @Locked(value = "a", client = "batch")
        public void unknownClient() {}

        @Locked(value = "a", onTimeout = OnTimeout.SKIP)
        public int skippedInt() {
            return 1;
        }

        @Locked(value = "a", onTimeout = OnTimeout.FALLBACK)
        public void noFallback() {}

        @Locked(value = "a", onTimeout = OnTimeout.FALLBACK, fallback = "other")
        public String wrongFallback(String id) {
            return id;
        }

        public String other(int id) {
            return "";
        }

        @Locked(value = "a", fallback = "other")
        public void uselessFallback() {}

        @Locked("a")
        public Future<String> future() {
            throw new IllegalStateException();
        }

        @Async
        @Locked("a")
        public void asynchronous() {}

        @Locked("a")
        @Once("b")
        public void twice() {}

        @Locked("${nothing}")
        public void noValue() {}

        @Locked("order:${long}")
        public void tooLongKey() {}

        @Locked("order:#{@nothing.key()}")
        public void noSuchBean() {}

        @Locked("a")
        public ConnectableFlux<String> connectable() {
            throw new IllegalStateException();
        }

        @Locked(value = "a", onTimeout = OnTimeout.SKIP)
        public Required neverEmpty() {
            throw new IllegalStateException();
        }
    }

    /** As Single of RxJava. */
    static final class Required {}

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            unparsable         | key 'order:#{#id'
            misspelt           | #ids is no parameter (expected: #id)
            withoutSign        | the bean has no property 'id' (expected: #id for a parameter)
            noSuchIndex        | #p1 is no parameter (expected: 1 of them, from #p0 on)
            noSuchMethod       | the bean has no method 'next'
            noKey              | no key (expected: at least one)
            emptyKey           | empty (expected: the name of a lock)
            noDuration         | waitFor: duration: 'soon' (expected: a number and a unit
            negative           | waitFor: -1 s (expected: from 0 s to 365 d)
            tooLong            | waitFor: 366 d (expected: from 0 s to 365 d)
            shortLease         | lease: 5 ms (expected: from 10 ms to 365 d)
            shorterThanAtLeast | atLeast is 2 s (expected: no more than the lease, 1 s)
            unknownClient      | client 'batch', and the LockClient beans are: locks
            skippedInt         | a int has no empty value here
            noFallback         | FALLBACK without a fallback
            wrongFallback      | Bad has no method of that name that fits
            uselessFallback    | fallback 'other' is never called
            future             | its result is a java.util.concurrent.Future
            asynchronous       | @Async on the same method
            twice              | it is there 2 times
            noValue            | '${nothing}' has a placeholder without a value
            tooLongKey         | 1025 bytes (expected: at most 1024)
            noSuchBean         | there is no bean 'nothing'
            connectable        | its result is a reactor.core.publisher.ConnectableFlux
            neverEmpty         | a Required has no empty value here
            """)
    void isRefusedWithASentence(String method, String sentence) {
        factory.addEmbeddedValueResolver(text -> text.replace("${long}", "x".repeat(1_025 - "order:".length())));
        ReactiveAdapterRegistry.getSharedInstance()
                .registerReactiveType(
                        ReactiveTypeDescriptor.singleRequiredValue(Required.class),
                        required -> Mono.empty(),
                        publisher -> new Required());
        assertThatThrownBy(() -> methods.plan(method(Bad.class, method), Bad.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("@Locked on ")
                .hasMessageContaining(method)
                .hasMessageContaining(sentence);
    }

    @SuppressWarnings("unused")
    static class Good {

        public String region = "eu";

        @Locked("#{region}:#{#p0}:#{#a0}:#{@text}:${text}#")
        public void everything(String id) {}

        @Locked("#{#value}")
        public void any(Object value) {}

        @Locked("#{#values.![name]}")
        public void projected(List<Good> values) {}

        @Locked("#{fail(#value)}")
        public void failing(Object value) {}

        public String fail(Object value) {
            throw new UnsupportedOperationException("no key of " + value);
        }

        @Locked(value = "a", onTimeout = OnTimeout.FALLBACK, fallback = "${fallback}")
        public void replacedByProperty() {}

        void fromProperty() {}

        @Once("job")
        public Stream<String> composed() {
            return Stream.of("ran");
        }

        @Locked(
                value = "a",
                onTimeout = OnTimeout.FALLBACK,
                onUnavailable = OnUnavailable.FALLBACK,
                fallback = "instead")
        public String replaced(String id, LockHold hold) {
            return id;
        }

        private String instead(String id, LockException why) {
            return id;
        }

        public String getName() {
            return "good";
        }
    }

    @Locked("class")
    static class Whole {

        public void one() {}

        @Locked("method")
        public void other() {}

        @Override
        public String toString() {
            return "whole";
        }
    }

    @Test
    void anAnnotationOfYourOwnAndOneOnTheClassWork() {
        LockPlan composed = methods.plan(method(Good.class, "composed"), Good.class);
        assertThat(composed.constantKeys()).containsExactly("job");
        assertThat(composed.waitFor()).isZero();
        assertThat((Stream<?>) composed.empty().get()).isEmpty();
        assertThat(methods.plan(method(Whole.class, "one"), Whole.class).constantKeys())
                .containsExactly("class");
        assertThat(methods.plan(method(Whole.class, "other"), Whole.class).constantKeys())
                .containsExactly("method");
        assertThat(methods.plan(method(Whole.class, "toString"), Whole.class)).isNull();
        assertThat(methods.plan(method(Good.class, "getName"), Good.class)).isNull();
        assertThat(methods.plan(method(Good.class, "replaced"), Good.class).fallback())
                .isNotNull();
    }

    @Test
    void keysAreMadeOfTextAndExpressions() {
        factory.registerSingleton("text", "bean");
        factory.addEmbeddedValueResolver(text -> text.replace("${text}", "property"));
        assertThat(keys("everything", "#{1+1}"))
                .as("values are never parsed")
                .containsExactly("eu:#{1+1}:#{1+1}:bean:property#");
        assertThat(keys("any", 7)).containsExactly("7");
        assertThat(keys("any", List.of("a", "b", "a"))).containsExactly("a", "b");
        assertThat(keys("any", (Object) new int[] {1, 2})).containsExactly("1", "2");
        assertThat(keys("any", Optional.of("there"))).containsExactly("there");
        assertThat(keys("projected", List.of(new Good()))).containsExactly("good");
    }

    @Test
    void keysWithoutTextAreRefused() {
        Map<Object, String> bad = Map.of(
                Optional.empty(),
                "is null (expected: a value)",
                "",
                "it is empty (expected: the name of a lock)",
                List.of(),
                "is an empty collection (expected: at least one element)",
                Arrays.asList("a", null),
                "is null (expected: a value)",
                List.of(List.of(1)),
                "is a collection within a collection (expected: one of texts)",
                Map.of("a", 1),
                "is a map (expected: its keys or its values)",
                new Object() {
                    @Override
                    public String toString() {
                        return null;
                    }
                },
                "has a text of null",
                new Object(),
                "is a java.lang.Object, which has no text of its own (expected: a property of it)",
                Stream.iterate(0, i -> i + 1).limit(65).toList(),
                "65 keys (expected: at most 64 in one call)");
        bad.forEach((value, sentence) -> assertThatThrownBy(() -> keys("any", value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Good.any")
                .hasMessageContaining(sentence));
    }

    @Test
    void anExpressionThatFailsIsNamed() {
        assertThatThrownBy(() -> keys("failing", "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("@Locked on Good.failing: key '#{fail(#value)}': #{fail(#value)} failed: no key of x")
                .hasCauseInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void elementsThatMayBeThereAreTakenForWhatTheyAre() {
        assertThat(keys("any", List.of(Optional.of("there"), "b"))).containsExactly("there", "b");
    }

    @Test
    void aFallbackMayComeFromAProperty() {
        factory.addEmbeddedValueResolver(text -> text.replace("${fallback}", "fromProperty"));
        assertThat(methods.plan(method(Good.class, "replacedByProperty"), Good.class)
                        .fallback())
                .isNotNull();
    }

    private AbstractBeanDefinition define(String name) {
        AbstractBeanDefinition definition = BeanDefinitionBuilder.genericBeanDefinition(
                        LockClient.class, LockedRefusalsTest::client)
                .getBeanDefinition();
        factory.registerBeanDefinition(name, definition);
        return definition;
    }

    @Test
    void clientsAreFoundByNameAndQualifier() {
        ClientLookup clients = new ClientLookup(factory);
        assertThat(clients.beanName("x", "")).isEqualTo("locks");
        define("second").addQualifier(new AutowireCandidateQualifier(Qualifier.class, "batch"));
        define("scopedTarget.second").setAutowireCandidate(false);
        assertThat(clients.beanName("x", "batch")).isEqualTo("second");
        assertThat(clients.beanName("x", "second")).isEqualTo("second");
        assertThatThrownBy(() -> clients.beanName("x", ""))
                .hasMessageStartingWith("x: no client is named, and the LockClient beans are: ")
                .hasMessageContaining("locks")
                .hasMessageEndingWith("(expected: one LockClient bean, a primary one, or client = one of them)");
        define("third").setPrimary(true);
        assertThat(clients.beanName("x", "")).isEqualTo("third");
        assertThat(factory.containsSingleton("second")).as("made").isFalse();
    }

    @Test
    void theUsualWaitComesFromAProperty() {
        LockedPostProcessor processor = new LockedPostProcessor();
        StandardEnvironment environment = new StandardEnvironment();
        processor.setEnvironment(environment);
        assertThat(processor.defaultWait()).isEqualTo(Duration.ofSeconds(10));
        Map<String, Object> properties = new HashMap<>(Map.of("holdfast.locked.wait", "3s"));
        environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
        assertThat(processor.defaultWait()).isEqualTo(Duration.ofSeconds(3));
        for (String written : List.of("5m", "300s", "5min", "PT5M", " 5 m ")) {
            properties.put("holdfast.locked.wait", written);
            assertThat(processor.defaultWait()).as(written).isEqualTo(Duration.ofMinutes(5));
        }
        properties.put("holdfast.locked.wait", "3");
        assertThatThrownBy(processor::defaultWait)
                .hasMessageStartingWith("holdfast.locked.wait: duration: '3' (expected: a number and a unit");
        // As Spring Boot's environment does.
        environment
                .getConversionService()
                .addConverter(String.class, Duration.class, millis -> Duration.ofMillis(Long.parseLong(millis)));
        assertThat(processor.defaultWait()).isEqualTo(Duration.ofMillis(3));
    }

    @SuppressWarnings("unused")
    static class OutOfReach {

        @Locked("a")
        private void hidden() {}

        @Locked("a")
        public final void fixed() {}
    }

    @Locked("a")
    @SuppressWarnings("unused")
    static class PartlyOutOfReach {

        public final void fixed() {}

        @Locked("b")
        public final void own() {}

        private void hidden() {}

        public void reached() {}
    }

    @Test
    void whatCanNotBeInterceptedIsWarnedOf() {
        Logger logger = (Logger) LoggerFactory.getLogger(LockedMethods.class);
        ListAppender<ILoggingEvent> heard = new ListAppender<>();
        heard.start();
        logger.addAppender(heard);
        try {
            methods.warnOfUnreachable(OutOfReach.class);
            methods.warnOfUnreachable(OutOfReach.class);
            methods.warnOfUnreachable(Good.class);
            methods.warnOfUnreachable(PartlyOutOfReach.class);
        } finally {
            logger.detachAppender(heard);
        }
        assertThat(heard.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactlyInAnyOrder(
                        "@Locked on OutOfReach.hidden has no effect: a private method can't be intercepted",
                        "@Locked on OutOfReach.fixed has no effect: a public final method can't be intercepted",
                        "@Locked on PartlyOutOfReach.fixed has no effect: a public final method can't be intercepted",
                        "@Locked on PartlyOutOfReach.own has no effect: a public final method can't be intercepted");
    }

    @SuppressWarnings("unused")
    static class AsForACache {

        @Locked("order:#id")
        public void ship(String id) {}

        @Locked("order:#1#{#id}#idle")
        public void fine(String id) {}
    }

    @Test
    void aParameterThatIsWrittenAsTextIsWarnedOf() {
        Logger logger = (Logger) LoggerFactory.getLogger(KeyCheck.class);
        ListAppender<ILoggingEvent> heard = new ListAppender<>();
        heard.start();
        logger.addAppender(heard);
        try {
            methods.plans(AsForACache.class);
            methods.plans(AsForACache.class);
        } finally {
            logger.detachAppender(heard);
        }
        assertThat(heard.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("@Locked on AsForACache.ship: key 'order:#id': #id is text, the same for all calls"
                        + " (expected: #{#id} for the parameter)");
    }

    private List<String> keys(String method, Object argument) {
        LockPlan plan = methods.plan(method(Good.class, method), Good.class);
        return plan.request(new Good(), new Object[] {argument}).keys();
    }

    private static Method method(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static DefaultListableBeanFactory factory() {
        DefaultListableBeanFactory factory = new DefaultListableBeanFactory();
        factory.registerSingleton("locks", client());
        return factory;
    }

    private static LockClient client() {
        return (LockClient) Proxy.newProxyInstance(
                LockClient.class.getClassLoader(),
                new Class<?>[] {LockClient.class},
                (proxy, method, arguments) -> "client");
    }
}
