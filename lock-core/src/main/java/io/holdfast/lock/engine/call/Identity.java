package io.holdfast.lock.engine.call;

import io.holdfast.lock.ClientInfo;
import io.holdfast.lock.text.Printable;
import java.time.Instant;

/** Which process a client is: as it says of itself, or as its record says. */
public record Identity(String id, String application, String host, long processId, String version, Instant since)
        implements ClientInfo {

    /** What others have written is shown like any text of theirs. */
    public Identity {
        application = Printable.of(application);
        host = Printable.of(host);
        version = Printable.of(version);
    }

    /** On one line, whatever the client has written. */
    @Override
    public String toString() {
        return Printable.message("ClientInfo[id=" + Printable.of(id) + ", application=" + Printable.of(application)
                + ", host=" + Printable.of(host) + ", processId=" + processId + ", version=" + Printable.of(version)
                + ", since=" + since + ']');
    }
}
