package io.holdfast.lock.engine.preflight;

import io.holdfast.lock.Finding;
import io.holdfast.lock.text.Printable;

/** A finding; its texts are made printable. */
record Found(Code code, Severity severity, String node, String seen, String consequence, String remedy)
        implements Finding {

    Found {
        node = Printable.message(node);
        seen = Printable.message(seen);
        consequence = Printable.message(consequence);
        remedy = Printable.message(remedy);
    }

    @Override
    public String toString() {
        return Printable.message(
                severity + " " + code + " at " + node + ": " + seen + ". " + consequence + ". " + remedy + ".");
    }
}
