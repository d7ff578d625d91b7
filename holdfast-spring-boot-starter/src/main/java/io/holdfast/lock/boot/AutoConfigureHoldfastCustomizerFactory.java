package io.holdfast.lock.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.TestPropertySourceUtils;

/** Sets the property that {@link AutoConfigureHoldfast} on a test stands for. */
final class AutoConfigureHoldfastCustomizerFactory implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> test, List<ContextConfigurationAttributes> attributes) {
        AutoConfigureHoldfast asked =
                TestContextAnnotationUtils.findMergedAnnotation(test, AutoConfigureHoldfast.class);
        return asked == null ? null : new InMemory(asked.memory());
    }

    /** Contexts of tests are shared where their customizers are equal. */
    private record InMemory(boolean memory) implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
            TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context, "holdfast.memory=" + memory);
        }
    }
}
