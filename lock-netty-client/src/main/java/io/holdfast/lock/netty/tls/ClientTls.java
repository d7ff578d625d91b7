package io.holdfast.lock.netty.tls;

import io.holdfast.lock.TlsOptions;
import io.holdfast.lock.text.Printable;
import io.netty.channel.Channel;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS of one client: secures its channels with what its files held when they were looked at last.
 *
 * <p>A look is a matter of disks, which may hang, so no event loop waits for it: each look has a thread that ends with it,
 * and serves all connections that ask meanwhile. Files that can't be used any more, or not in time, leave what was read
 * before them in use.
 */
public final class ClientTls {

    private static final Logger log = LoggerFactory.getLogger(ClientTls.class);

    private final TlsOptions options;
    private final String clientName;
    private final @Nullable String seedName;
    private final List<SourceFile> files;

    private final Looks askedLooks;

    private volatile NettyEngines engines;

    // What follows is guarded by this.

    private List<String> stamps;
    private boolean unusable;
    private boolean overdue;
    private long looks;
    /** The look of which the engines are: an earlier one that hung has nothing to add. */
    private long latestLook;

    private ClientTls(TlsOptions options, String clientName, @Nullable String seedName) {
        this.options = options;
        this.clientName = clientName;
        this.seedName = seedName;
        this.files = KeyMaterial.files(options);
        this.askedLooks = new Looks(this::readIfChanged, this::startThread, this::overdue);
        this.stamps = stampsNow();
        this.engines = read();
    }

    /** The TLS of a client whose servers are where its address says: {@link #open(TlsOptions, String, String)}. */
    public static ClientTls open(TlsOptions options, String clientName) {
        return open(options, clientName, null);
    }

    /**
     * Reads what the options name.
     *
     * @param clientName begins the names of threads
     * @param seed the host of the first Sentinel in the client's address; null where no server is announced
     * @throws IllegalArgumentException if a file can't be used; the message says which, and why
     * @throws IllegalStateException if {@code netty-handler} is missing
     */
    public static ClientTls open(TlsOptions options, String clientName, @Nullable String seed) {
        try {
            NettyEngines.require();
            return new ClientTls(options, clientName, options.verifySeedName() && isName(seed) ? seed : null);
        } catch (LinkageError absent) {
            throw new IllegalStateException(
                    "TLS (rediss://) can't be used here: io.netty:netty-handler is not on the class path", absent);
        }
    }

    /**
     * Looks whether the files have changed, and reads them if they have; then, or when patience is over, runs a task on the
     * executor, an event loop.
     */
    public void look(EventExecutor loop, long patienceNanos, Runnable whenDone) {
        if (files.isEmpty()) {
            whenDone.run();
        } else {
            askedLooks.ask(loop, patienceNanos, whenDone);
        }
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
        String name = options.serverName().orElse(seedName == null || isName(host) ? host : seedName);
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

    /** Whether a host is there and is no IP address. */
    private static boolean isName(@Nullable String host) {
        return host != null && !NetUtil.isValidIpV4Address(host) && !NetUtil.isValidIpV6Address(host);
    }

    private NettyEngines read() {
        return options.sslContext().isPresent()
                ? NettyEngines.of(options.sslContext().get(), options.protocols())
                : NettyEngines.of(KeyMaterial.read(options), options.protocols());
    }

    /** What was of no use is tried again each time: more than files may have changed. */
    private void readIfChanged() {
        long look;
        synchronized (this) {
            looks++;
            look = looks;
        }
        List<String> now = stampsNow();
        synchronized (this) {
            if (now.equals(stamps) && !unusable) {
                ended(look);
                return;
            }
        }
        try {
            NettyEngines read = read();
            changed(look, now, read);
        } catch (RuntimeException | LinkageError refused) {
            refused(look, now, refused);
        }
    }

    private synchronized void changed(long look, List<String> now, NettyEngines read) {
        if (ended(look)) {
            engines = read;
            stamps = now;
            unusable = false;
            log.info("The files of TLS have changed; new connections use what they hold now");
        }
    }

    private synchronized void refused(long look, List<String> now, Throwable refused) {
        if (ended(look)) {
            stamps = now;
            if (!unusable) {
                log.warn(
                        "The files of TLS have changed, and can't be used; new connections use what they held before: {}",
                        Printable.message(refused.getMessage()));
            }
            unusable = true;
        }
    }

    /** Returns whether the look is the latest that has ended. */
    private synchronized boolean ended(long look) {
        if (look < latestLook) {
            return false;
        }
        latestLook = look;
        overdue = false;
        return true;
    }

    private synchronized void overdue() {
        if (!overdue) {
            log.warn(
                    "The files of TLS can't be read in time; new connections use what they held before: {}",
                    Printable.message(files.stream().map(SourceFile::toString).collect(Collectors.joining(", "))));
            overdue = true;
        }
    }

    private List<String> stampsNow() {
        return files.stream().map(SourceFile::stamp).toList();
    }

    /** Throws a {@link RejectedExecutionException} if no thread starts, as executors do: the next time one may. */
    private void startThread(Runnable task) {
        Thread thread = new Thread(null, task, "holdfast-" + clientName + "-tls", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(ClientTls.class.getClassLoader());
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            throw new RejectedExecutionException("no thread could be started for TLS", noThread);
        }
    }
}
