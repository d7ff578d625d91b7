package io.holdfast.lock.engine.call;

import io.holdfast.lock.LockClient;

/** The version of this library, as its jar says. */
public final class Version {

    /** Classes that come from no jar of ours. */
    private static final String NONE = "development";

    private static final String TEXT = read();

    private Version() {}

    public static String text() {
        return TEXT;
    }

    private static String read() {
        String written = LockClient.class.getPackage().getImplementationVersion();
        return written == null ? NONE : written;
    }
}
