package io.holdfast.lock.tests.mutants;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs tests in a JVM of its own; each argument is {@code CLASS} or {@code CLASS#METHOD}. */
final class TestRun {
    private static final int NOTHING_RAN_CODE = 3;

    private TestRun() {}

    public static void main(String[] arguments) throws ClassNotFoundException {
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (String argument : arguments) {
            selectors.add(selector(argument));
        }
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        summary.getFailures()
                .forEach(failure -> System.out.println("failed: "
                        + failure.getTestIdentifier().getDisplayName() + ": " + oneLine(failure.getException())));
        System.exit(code(summary));
    }

    /** A test that was skipped has neither caught a mutant nor let one pass. */
    private static int code(TestExecutionSummary summary) {
        if (summary.getTotalFailureCount() > 0) {
            return Result.KILLED_CODE;
        }
        boolean allRan = summary.getTestsSucceededCount() > 0
                && summary.getTestsSucceededCount() == summary.getTestsFoundCount();
        if (!allRan) {
            System.out.println(summary.getTestsSucceededCount() + " of " + summary.getTestsFoundCount() + " tests ran");
        }
        return allRan ? Result.SURVIVED_CODE : NOTHING_RAN_CODE;
    }

    private static DiscoverySelector selector(String argument) throws ClassNotFoundException {
        String[] parts = argument.split("#", 2);
        Class<?> type = Class.forName(parts[0]);
        if (parts.length == 1) {
            return selectClass(type);
        }
        return selectMethod(type, method(type, parts[1]));
    }

    private static Method method(Class<?> type, String name) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            List<Method> found = Stream.of(at.getDeclaredMethods())
                    .filter(method -> method.getName().equals(name))
                    .toList();
            if (found.size() == 1) {
                return found.get(0);
            }
        }
        throw new IllegalArgumentException("no test " + type.getName() + "#" + name);
    }

    private static String oneLine(Throwable failure) {
        return String.valueOf(failure.getMessage()).strip().replaceAll("\\s+", " ");
    }
}
