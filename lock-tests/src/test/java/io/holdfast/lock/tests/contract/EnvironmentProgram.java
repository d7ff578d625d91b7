package io.holdfast.lock.tests.contract;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import java.io.OutputStream;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * A program in an environment of its own. It connects by its variables, twice, and by the address that is its argument, once;
 * then it waits for its input to end.
 */
public final class EnvironmentProgram {

    private EnvironmentProgram() {}

    public static void main(String[] arguments) throws Exception {
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        Logger library = (Logger) LoggerFactory.getLogger("io.holdfast");
        library.setLevel(Level.DEBUG);
        library.addAppender(logged);
        logged.start();
        try (LockClient byVariables = LockClient.connect(ClientOptions.fromEnvironment());
                LockClient again = LockClient.connect(ClientOptions.fromEnvironment());
                LockClient byAddress = LockClient.connect(arguments[0])) {
            System.out.println("options " + ClientOptions.fromEnvironment());
            List.copyOf(logged.list).forEach(event -> System.out.println("log " + event));
            System.out.println(
                    "connected " + byVariables.getLock("a").isLocked() + again.isClosed() + byAddress.isClosed());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
