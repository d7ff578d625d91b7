package io.holdfast.lock.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mockingDetails;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.InMemoryLocks;
import io.holdfast.lock.spring.Locked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Locks in tests of applications. The samples are run by Spring's own machinery, without an engine of JUnit's. */
class StarterSliceTest {

    @Test
    void aSliceHasLocksInMemory() throws Exception {
        run(WebSlice.class, slice -> {
            assertThat(InMemoryLocks.of(slice.client)).isNotNull();
            String answer = slice.web
                    .perform(MockMvcRequestBuilders.get("/sell"))
                    .andReturn()
                    .getResponse()
                    .getContentAsString();
            assertThat(answer).isEqualTo("sold");
        });
    }

    @Test
    @Tag("proof")
    void aTestCanTurnTheMemoryOff() throws Exception {
        run(OwnAddress.class, slice -> assertThat(InMemoryLocks.of(slice.client))
                .isNotNull());
    }

    @Test
    @Tag("proof")
    void aMockIsTheClientAndNothingConnects() throws Exception {
        var before = Starter.threads();
        run(Mocked.class, mocked -> {
            assertThat(mockingDetails(mocked.client).isMock()).isTrue();
            assertThat(Starter.threads()).isEqualTo(before);
            assertThatThrownBy(mocked.shop::sell)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(
                            "Shop.sell: the client gave no lock (expected: a mock whose getLock is stubbed");
        });
    }

    @FunctionalInterface
    interface Check<T> {
        void of(T sample) throws Exception;
    }

    private static <T> void run(Class<T> type, Check<T> check) throws Exception {
        TestContextManager manager = new TestContextManager(type);
        manager.beforeTestClass();
        T sample = type.getDeclaredConstructor().newInstance();
        try {
            manager.prepareTestInstance(sample);
            check.of(sample);
        } finally {
            manager.getTestContext().markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
            manager.afterTestClass();
        }
    }

    @WebMvcTest
    @AutoConfigureHoldfast
    @ContextConfiguration(classes = Shop.class)
    static class WebSlice {

        @Autowired
        LockClient client;

        @Autowired
        MockMvc web;
    }

    @WebMvcTest(properties = "holdfast.url=memory:shared")
    @AutoConfigureHoldfast(memory = false)
    @ContextConfiguration(classes = Shop.class)
    static class OwnAddress {

        @Autowired
        LockClient client;
    }

    @SpringBootTest(
            classes = {WebApplication.Main.class, Shop.class},
            webEnvironment = SpringBootTest.WebEnvironment.NONE,
            properties = "holdfast.url=redis://127.0.0.1:1")
    static class Mocked {

        @MockitoBean
        LockClient client;

        @Autowired
        Shop shop;
    }

    @RestController
    static class Shop {

        @GetMapping("/sell")
        @Locked("stock")
        public String sell() {
            return "sold";
        }
    }
}
