package io.holdfast.lock.netty.tls;

import io.holdfast.lock.TlsOptions;
import io.holdfast.lock.text.Printable;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS of one client: secures its channels with what its files held when they were looked at last.
 *
 * <p>A look is a matter of disks, which may hang, so no event loop waits for it: each look has a thread that ends with it,
 * and serves all connections that ask meanwhile. Files that can't be used any more leave what was read before them in use.
 */
public final class ClientTls {

    private static final Logger log = LoggerFactory.getLogger(ClientTls.class);

    private final TlsOptions options;
    private final String clientName;
    private final List<SourceFile> files;

    private volatile NettyEngines engines;

    // What follows is guarded by this.

    private List<String> stamps;
    private boolean unusable;
    private boolean looking;
    private List<Runnable> waiting = new ArrayList<>();

    private ClientTls(TlsOptions options, String clientName) {
        this.options = options;
        this.clientName = clientName;
        this.files = KeyMaterial.files(options);
        this.stamps = stampsNow();
        this.engines = read();
    }

    /**
     * Reads what the options name.
     *
     * @param clientName begins the names of threads
     * @throws IllegalArgumentException if a file can't be used; the message says which, and why
     * @throws IllegalStateException if {@code netty-handler} is missing
     */
    public static ClientTls open(TlsOptions options, String clientName) {
        try {
            NettyEngines.require();
            return new ClientTls(options, clientName);
        } catch (LinkageError absent) {
            throw new IllegalStateException(
                    "TLS (rediss://) can't be used here: io.netty:netty-handler is not on the class path", absent);
        }
    }

    /**
     * Looks whether the files have changed, and reads them if they have; then runs a task on the executor, an event loop.
     */
    public void look(Executor loop, Runnable whenDone) {
        if (files.isEmpty()) {
            whenDone.run();
            return;
        }
        synchronized (this) {
            waiting.add(() -> pass(loop, whenDone));
            if (looking) {
                return;
            }
            looking = true;
        }
        startThread(this::lookNow);
    }

    /**
     * Begins the handshake on a channel that is connected.
     *
     * @param host the host as the user wrote it, unless the options name another
     * @return succeeds when the channel is secured; on a failure the channel is closed as well, and {@link TlsFailure} has
     *     words for it
     */
    public Future<Channel> secure(Channel channel, String host, int port) {
        return engines.secure(channel, name(host), port, this::startThread);
    }

    /** The name that a server's certificate must have: without the dot at its end, and without a zone. */
    public String name(String host) {
        String name = options.serverName().orElse(host);
        int zone = name.indexOf('%');
        if (zone >= 0) {
            return name.substring(0, zone);
        }
        return name.length() > 1 && name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /** Whether the client has a certificate to show, as far as is known. */
    public boolean showsCertificate() {
        return options.certificate().isPresent()
                || options.keyStore().isPresent()
                || options.sslContext().isPresent();
    }

    @Override
    public String toString() {
        return "ClientTls{" + options + "}";
    }

    private NettyEngines read() {
        return options.sslContext().isPresent()
                ? NettyEngines.of(options.sslContext().get(), options.protocols())
                : NettyEngines.of(KeyMaterial.read(options), options.protocols());
    }

    private void lookNow() {
        try {
            readIfChanged();
        } finally {
            List<Runnable> served;
            synchronized (this) {
                served = waiting;
                waiting = new ArrayList<>();
                looking = false;
            }
            served.forEach(Runnable::run);
        }
    }

    /** One look at a time comes here. What was of no use is tried again each time: more than files may have changed. */
    private void readIfChanged() {
        List<String> now = stampsNow();
        synchronized (this) {
            if (now.equals(stamps) && !unusable) {
                return;
            }
        }
        try {
            engines = read();
            log.info("The files of TLS have changed; new connections use what they hold now");
            unusable(false);
        } catch (RuntimeException | LinkageError refused) {
            if (!unusable(true)) {
                log.warn(
                        "The files of TLS have changed, and can't be used; new connections use what they held before: {}",
                        Printable.message(refused.getMessage()));
            }
        }
        synchronized (this) {
            stamps = now;
        }
    }

    /** Keeps in mind whether the files are of no use, and returns whether that was so before. */
    private synchronized boolean unusable(boolean now) {
        boolean before = unusable;
        unusable = now;
        return before;
    }

    private List<String> stampsNow() {
        return files.stream().map(SourceFile::stamp).toList();
    }

    private void startThread(Runnable task) {
        Thread thread = new Thread(null, task, "holdfast-" + clientName + "-tls", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(ClientTls.class.getClassLoader());
        thread.start();
    }

    private static void pass(Executor loop, Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException closed) {
            // The client was closed during the look: no connection needs what was read any more.
            return;
        }
    }
}
