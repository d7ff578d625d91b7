package io.holdfast.lock.examples;

import io.holdfast.lock.testkit.RedisServer;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** The server that a command works with: its own, started for it, or the user's, which is left alone. */
public final class ExampleServer implements AutoCloseable {

    private final String url;
    private final @Nullable RedisServer own;

    private ExampleServer(String url, @Nullable RedisServer own) {
        this.url = url;
        this.own = own;
    }

    static ExampleServer start() {
        RedisServer own = RedisServer.start();
        return new ExampleServer(own.url(), own);
    }

    static ExampleServer at(String url) {
        return new ExampleServer(url, null);
    }

    public String url() {
        return url;
    }

    /** Whether the command may do to it what it likes. */
    public boolean isOwn() {
        return own != null;
    }

    /** Ends the process of an own server at once, as a crash would. */
    void kill() {
        if (own == null) {
            throw new IllegalStateException("server " + this + " is not ours to kill");
        }
        own.kill();
    }

    @Override
    public void close() {
        if (own != null) {
            own.close();
        }
    }

    /** The server without its password. */
    @Override
    public String toString() {
        if (own != null) {
            return own + ", started for you";
        }
        String authority = String.valueOf(URI.create(url).getRawAuthority());
        return authority.substring(authority.lastIndexOf('@') + 1);
    }
}
