package io.holdfast.lock.netty.connection;

import io.holdfast.lock.text.Printable;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What there is to say of a server's set-up, warnings above all, each given once in an endpoint's life: they would be the same after every
 * reconnect.
 */
final class Notices {

    /** What there is to warn of. */
    enum Notice {
        SET_UP,
        EVICTION,
        NO_FENCE,
        NO_SCRIPT_LOAD,
        NO_INFO
    }

    private static final Logger log = LoggerFactory.getLogger(Notices.class);

    private final String node;
    private final Set<Notice> given = EnumSet.noneOf(Notice.class);

    Notices(String node) {
        this.node = node;
    }

    /** How the server is set up, as far as it said so unasked. */
    void setUp(String version, String evictionPolicy, String appendOnlyFile) {
        if (given.add(Notice.SET_UP)) {
            log.info(
                    "Connected to {}: version {}, maxmemory-policy {}, append-only file: {}",
                    node,
                    known(version),
                    known(evictionPolicy),
                    known(appendOnlyFile));
        }
    }

    private static String known(String text) {
        return text.isEmpty() ? "unknown" : Printable.of(text);
    }

    /** The server may throw locks away. */
    void eviction(String policy) {
        if (given.add(Notice.EVICTION)) {
            log.warn(
                    "{} has maxmemory-policy {}: when its memory is full it deletes locks that are held; a server that"
                            + " keeps locks should have noeviction",
                    node,
                    Printable.of(policy));
        }
    }

    /** The server does not let us kill our own earlier connection. */
    void noFence(String reason) {
        if (given.add(Notice.NO_FENCE)) {
            log.warn(
                    "{} does not allow CLIENT KILL ({}): after a reconnect, a request still buffered at the server may"
                            + " leave a lock behind that no owner holds, until its lease is over; allow +client|kill",
                    node,
                    Printable.of(reason));
        }
    }

    /** The server does not let us load scripts. */
    void noScriptLoad(String reason) {
        if (given.add(Notice.NO_SCRIPT_LOAD)) {
            log.warn(
                    "{} does not allow SCRIPT LOAD ({}): using EVAL where it forgot a script",
                    node,
                    Printable.of(reason));
        }
    }

    /** The server does not identify itself. */
    void noInfo(String reason) {
        if (given.add(Notice.NO_INFO)) {
            log.warn(
                    "{} does not allow INFO ({}): restarts of the server can't be noticed, nor its eviction policy",
                    node,
                    Printable.of(reason));
        }
    }
}
