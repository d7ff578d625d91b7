package io.holdfast.lock.netty.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.NetUtil;
import io.netty.util.ReferenceCounted;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import io.netty.util.concurrent.Promise;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Engines of Netty's: OpenSSL's where it is on the class path, and the JDK's.
 *
 * <p>This is the only class that knows of the optional {@code netty-handler}. Where its jar is missing, the first use of
 * this class is a {@link LinkageError}.
 */
final class NettyEngines {

    private static final Logger log = LoggerFactory.getLogger(NettyEngines.class);

    /** How long a connection that is closed may try to say so; one whose peer hangs would not be rid of the words. */
    private static final long FAREWELL_MILLIS = 50;

    private final SslContext context;

    private NettyEngines(SslContext context) {
        this.context = context;
    }

    /** Throws a {@link LinkageError} if the jar is missing. */
    static void require() {
        log.trace("TLS by {}", SslHandler.class);
    }

    static NettyEngines of(KeyMaterial material, List<String> protocols) {
        SslContext context = OpenSsl.isAvailable() ? openSslOrNull(material, protocols) : null;
        return new NettyEngines(context == null ? jdk(material, protocols) : context);
    }

    /** Engines of a context that was given. */
    static NettyEngines of(SSLContext given, List<String> protocols) {
        return new NettyEngines(new JdkSslContext(
                given,
                true,
                null,
                IdentityCipherSuiteFilter.INSTANCE,
                ApplicationProtocolConfig.DISABLED,
                ClientAuth.NONE,
                protocols.toArray(new String[0]),
                false));
    }

    /** Keys that the JDK takes may be none for OpenSSL. */
    private static @Nullable SslContext openSslOrNull(KeyMaterial material, List<String> protocols) {
        try {
            return context(SslProvider.OPENSSL, material, protocols);
        } catch (SSLException | RuntimeException unusable) {
            log.debug("OpenSSL can't be used, so the JDK's TLS is", unusable);
            return null;
        }
    }

    private static SslContext jdk(KeyMaterial material, List<String> protocols) {
        try {
            return context(SslProvider.JDK, material, protocols);
        } catch (SSLException unusable) {
            throw new IllegalArgumentException("tls: this JVM can't use the keys or certificates given", unusable);
        }
    }

    private static SslContext context(SslProvider provider, KeyMaterial material, List<String> protocols)
            throws SSLException {
        return SslContextBuilder.forClient()
                .sslProvider(provider)
                .keyManager(material.keys().orElse(null))
                .trustManager(material.trust())
                .protocols(protocols)
                .build();
    }

    /** Whether the peer's words are none of TLS. */
    static boolean isOfNoTls(Throwable failure) {
        return failure instanceof NotSslRecordException;
    }

    /**
     * Begins the handshake on a channel that is connected.
     *
     * @param name the name, or the address, that the peer's certificate must have
     * @param computing where the parts of the handshake run that take their time
     * @return succeeds when the channel is secured; on a failure the channel is closed as well
     */
    Future<Channel> secure(Channel channel, String name, int port, Executor computing) {
        Securing securing = new Securing(channel);
        channel.pipeline().addLast(securing);
        SslHandler handler;
        try {
            handler = new SslHandler(engine(channel, name, port), computing);
        } catch (RuntimeException | Error thrown) {
            // A context of the user is code of the user. The caller hears of it when it has the future.
            channel.eventLoop().execute(() -> securing.fail(thrown));
            return securing.secured;
        }
        handler.setHandshakeTimeoutMillis(0); // an attempt has its own time
        handler.setCloseNotifyFlushTimeoutMillis(FAREWELL_MILLIS);
        channel.pipeline().addFirst(handler);
        handler.handshakeFuture().addListener(securing);
        return securing.secured;
    }

    private SSLEngine engine(Channel channel, String name, int port) {
        SSLEngine engine = context.newEngine(channel.alloc(), name, port);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setServerNames(askedFor(name));
        engine.setSSLParameters(parameters);
        // Those of OpenSSL have no lock while a task runs, and are counted: Netty has to see them as they are.
        return engine instanceof ReferenceCounted ? engine : new WaitlessEngine(engine);
    }

    /** A server is asked for a name and never for an address; some names are none by the book, and are not asked for. */
    private static List<SNIServerName> askedFor(String name) {
        if (NetUtil.isValidIpV4Address(name) || NetUtil.isValidIpV6Address(name)) {
            return List.of();
        }
        try {
            return List.of(new SNIHostName(name));
        } catch (IllegalArgumentException byTheBook) {
            log.debug("A name that can't be sent to the server", byTheBook);
            return List.of();
        }
    }

    /**
     * Stands where the session will, while there is none: keeps what goes wrong from the end of the pipeline, and a close from
     * the engine, which has nothing to say to a peer that it does not know yet.
     */
    private static final class Securing extends ChannelDuplexHandler implements GenericFutureListener<Future<Channel>> {

        private final Channel channel;
        private final Promise<Channel> secured;

        Securing(Channel channel) {
            this.channel = channel;
            this.secured = channel.eventLoop().newPromise();
        }

        @Override
        public void operationComplete(Future<Channel> handshake) {
            if (!handshake.isSuccess()) {
                fail(handshake.cause());
                return;
            }
            if (channel.pipeline().context(this) != null) {
                channel.pipeline().remove(this);
            }
            secured.trySuccess(channel);
        }

        /** What comes first counts: the operating system's words, and not what the engine makes of them. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            fail(cause);
        }

        @Override
        public void close(ChannelHandlerContext context, ChannelPromise promise) {
            context.pipeline().firstContext().close(promise);
        }

        void fail(Throwable cause) {
            secured.tryFailure(cause);
            channel.close();
        }
    }
}
