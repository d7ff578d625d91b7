package io.holdfast.lock.spring;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether clients have locks of the kinds that methods want: with Redisson's keys they have the plain one only, and over a quorum no
 * fair one. No
 * client is made for that. While a context starts, one that is not there yet is asked when all singletons are; one that is made
 * later says it at the first call.
 */
final class KindCheck {

    private record Wanted(String where, Kind kind, String clientName, String key) {}

    private final ClientLookup clients;
    /** Guarded by this object. */
    private final List<Wanted> open = new ArrayList<>();

    private boolean singletonsAreMade;

    KindCheck(ClientLookup clients) {
        this.clients = clients;
    }

    /**
     * Checks it now, or puts it off.
     *
     * @param key the name of a lock, which nothing is sent for
     * @throws IllegalArgumentException if the client has no locks of this kind
     */
    void check(String where, Kind kind, String clientName, String key) {
        if (kind == Kind.PLAIN) {
            return;
        }
        Wanted wanted = new Wanted(where, kind, clientName, key);
        if (!isChecked(wanted)) {
            putOff(wanted);
        }
    }

    private synchronized void putOff(Wanted wanted) {
        if (!singletonsAreMade) {
            open.add(wanted);
        }
    }

    /** Checks what was put off. */
    void singletonsAreMade() {
        List<Wanted> left;
        synchronized (this) {
            singletonsAreMade = true;
            left = List.copyOf(open);
            open.clear();
        }
        left.forEach(this::isChecked);
    }

    private boolean isChecked(Wanted wanted) {
        Optional<LockClient> client = clients.made(wanted.clientName);
        client.ifPresent(made -> {
            try {
                wanted.kind.lock(made, wanted.key);
            } catch (UnsupportedOperationException impossible) {
                throw new IllegalArgumentException(
                        Printable.message(wanted.where + ": " + impossible.getMessage()), impossible);
            } catch (IllegalArgumentException noName) {
                // A text with expressions in it need not be a name; each call says whether its key is one.
                return;
            }
        });
        return client.isPresent();
    }
}
