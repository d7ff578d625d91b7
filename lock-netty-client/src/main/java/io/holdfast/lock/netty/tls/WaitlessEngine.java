package io.holdfast.lock.netty.tls;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * An engine that is closed without waiting for its tasks.
 *
 * <p>The JDK's engine has one lock, which a task holds while it runs. A task runs code of users, such as a check of
 * certificates that asks a server of its own; whatever closed the engine meanwhile, an event loop, would stand still as
 * long. So an engine with a task under way is closed when the task is over. Its outcome is of no use any more: the task's
 * thread is interrupted.
 *
 * <p>All else goes to the engine, as Netty asks nothing else of it while a task runs.
 */
final class WaitlessEngine extends SSLEngine {

    private final SSLEngine engine;

    // What follows is guarded by this. The engine's lock is taken inside of this one only while no task has it.

    private @Nullable Thread running;
    /** Whether it was closed during a task: what the task made of the handshake is no news any more. */
    private volatile boolean abandoned;

    private boolean closesInbound;
    private boolean closesOutbound;

    WaitlessEngine(SSLEngine engine) {
        super(engine.getPeerHost(), engine.getPeerPort());
        this.engine = engine;
    }

    @Override
    public @Nullable Runnable getDelegatedTask() {
        Runnable task = engine.getDelegatedTask();
        return task == null ? null : () -> run(task);
    }

    private void run(Runnable task) {
        synchronized (this) {
            if (closesInbound || closesOutbound) {
                return;
            }
            running = Thread.currentThread();
        }
        try {
            task.run();
        } finally {
            ran();
        }
    }

    private synchronized void ran() {
        running = null;
        if (closesOutbound) {
            engine.closeOutbound();
        }
        if (closesInbound) {
            closeInboundOf(engine);
        }
    }

    @Override
    public synchronized void closeOutbound() {
        closesOutbound = true;
        if (running == null) {
            engine.closeOutbound();
        } else {
            abandoned = true;
            running.interrupt();
        }
    }

    @Override
    public synchronized void closeInbound() throws SSLException {
        closesInbound = true;
        if (running == null) {
            engine.closeInbound();
        } else {
            abandoned = true;
            running.interrupt();
        }
    }

    /** That the peer did not say goodbye is no news when the connection is gone. */
    private static void closeInboundOf(SSLEngine engine) {
        try {
            engine.closeInbound();
        } catch (SSLException noFarewell) {
            return;
        }
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer target) throws SSLException {
        return engine.wrap(sources, offset, length, target);
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] targets, int offset, int length) throws SSLException {
        if (abandoned) {
            return new SSLEngineResult(Status.CLOSED, HandshakeStatus.NEED_UNWRAP, 0, 0);
        }
        return engine.unwrap(source, targets, offset, length);
    }

    @Override
    public boolean isInboundDone() {
        return engine.isInboundDone();
    }

    @Override
    public boolean isOutboundDone() {
        return engine.isOutboundDone();
    }

    @Override
    public void beginHandshake() throws SSLException {
        engine.beginHandshake();
    }

    @Override
    public HandshakeStatus getHandshakeStatus() {
        // Of a status without consequences: nothing is left to wrap, and unwrapping says that all is over.
        return abandoned ? HandshakeStatus.NEED_UNWRAP : engine.getHandshakeStatus();
    }

    @Override
    public SSLSession getSession() {
        return engine.getSession();
    }

    @Override
    public SSLSession getHandshakeSession() {
        return engine.getHandshakeSession();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return engine.getSupportedCipherSuites();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return engine.getEnabledCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        engine.setEnabledCipherSuites(suites);
    }

    @Override
    public String[] getSupportedProtocols() {
        return engine.getSupportedProtocols();
    }

    @Override
    public String[] getEnabledProtocols() {
        return engine.getEnabledProtocols();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        engine.setEnabledProtocols(protocols);
    }

    @Override
    public void setUseClientMode(boolean mode) {
        engine.setUseClientMode(mode);
    }

    @Override
    public boolean getUseClientMode() {
        return engine.getUseClientMode();
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        engine.setNeedClientAuth(need);
    }

    @Override
    public boolean getNeedClientAuth() {
        return engine.getNeedClientAuth();
    }

    @Override
    public void setWantClientAuth(boolean want) {
        engine.setWantClientAuth(want);
    }

    @Override
    public boolean getWantClientAuth() {
        return engine.getWantClientAuth();
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        engine.setEnableSessionCreation(flag);
    }

    @Override
    public boolean getEnableSessionCreation() {
        return engine.getEnableSessionCreation();
    }

    @Override
    public SSLParameters getSSLParameters() {
        return engine.getSSLParameters();
    }

    @Override
    public void setSSLParameters(SSLParameters parameters) {
        engine.setSSLParameters(parameters);
    }

    @Override
    public String getApplicationProtocol() {
        return engine.getApplicationProtocol();
    }

    @Override
    public String getHandshakeApplicationProtocol() {
        return engine.getHandshakeApplicationProtocol();
    }

    @Override
    public void setHandshakeApplicationProtocolSelector(BiFunction<SSLEngine, List<String>, String> selector) {
        engine.setHandshakeApplicationProtocolSelector(selector);
    }

    @Override
    public BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
        return engine.getHandshakeApplicationProtocolSelector();
    }
}
