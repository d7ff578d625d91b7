package io.holdfast.lock.netty.connection;

import java.io.FileNotFoundException;
import org.jspecify.annotations.Nullable;

/** Says in few words why the operating system would not. */
final class Reasons {

    /** Ends what native transports put before the system's own words: {@code finishConnect(..) failed with error(-111): }. */
    private static final String NATIVE_PREFIX_END = "): ";

    private Reasons() {}

    static String words(@Nullable Throwable cause) {
        if (cause == null) {
            return "unknown";
        }
        String message = cause.getMessage();
        if (message == null) {
            // What the native transports throw for a Unix socket.
            return cause instanceof FileNotFoundException
                    ? "no such file"
                    : cause.getClass().getSimpleName();
        }
        int end = message.indexOf(" failed with error(") < 0 ? -1 : message.indexOf(NATIVE_PREFIX_END);
        return end < 0 ? message : message.substring(end + NATIVE_PREFIX_END.length());
    }
}
