package io.holdfast.lock.memory;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.text.Printable;

/** An error that a server would answer a script with. What the script has written before it stays. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1;

    final Fault.Kind kind;
    private final boolean lasting;

    Refusal(Fault.Kind kind, String words) {
        this(kind, words, false);
    }

    private Refusal(Fault.Kind kind, String words, boolean lasting) {
        super(Printable.message(words), null, false, false);
        this.kind = kind;
        this.lasting = lasting;
    }

    /** A call that was told to fail. */
    static Refusal asTold() {
        return new Refusal(Fault.Kind.UNREACHABLE, "told to fail by InMemoryLocks.fail", true);
    }

    /** What a call of a client ends with; nothing of it counts. */
    Fault fault(String node) {
        return new Fault(kind, false, node, String.valueOf(getMessage()), lasting);
    }

    static Refusal wrongType(String key, String type) {
        return new Refusal(
                Fault.Kind.WRONGTYPE,
                "WRONGTYPE Operation against a key holding the wrong kind of value (" + MemoryReply.utf8(key) + " is a "
                        + type + ')');
    }

    /** An error without a name of its own. */
    static Refusal of(String words) {
        return new Refusal(Fault.Kind.SERVER_ERROR, "ERR " + words);
    }
}
