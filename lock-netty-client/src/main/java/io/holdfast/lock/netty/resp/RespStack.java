package io.holdfast.lock.netty.resp;

import io.holdfast.lock.netty.resp.RespValue.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lists that were begun and not ended, the outermost first. Attributes are lists that leave nothing behind. */
final class RespStack {

    private static final RespValue[] NOTHING = new RespValue[0];

    /** So much room a list gets before anything has arrived, whatever it announces. */
    private static final int FIRST_ELEMENTS = 64;

    private final List<Frame> frames = new ArrayList<>();
    private int depth;
    private int announced;

    int depth() {
        return depth;
    }

    /** How many elements the lists of this message have announced so far, all together. */
    int announced() {
        return announced;
    }

    /** Forgets the lists that were begun, and the memory that they hold. */
    void clear() {
        frames.clear();
        depth = 0;
        announced = 0;
    }

    /** Begins a list. Returns the message, should the list be empty and complete it. */
    @Nullable
    RespValue begin(Kind kind, int length) {
        if (length == 0) {
            return add(RespValue.list(kind, NOTHING));
        }
        push(length).kind = kind;
        return null;
    }

    /** Begins an attribute. The value that it belongs to comes after it. */
    void beginAttribute(int length) {
        if (length > 0) {
            push(length).kind = null;
        }
    }

    /** Takes a finished value. Returns the message, if this was the last that it lacked. */
    @Nullable
    RespValue add(RespValue value) {
        RespValue finished = value;
        while (depth > 0) {
            Frame top = frames.get(depth - 1);
            top.add(finished);
            if (top.filled < top.length) {
                return null;
            }
            depth--;
            if (top.kind == null) {
                return null;
            }
            finished = RespValue.list(top.kind, top.takeElements());
        }
        announced = 0;
        return finished;
    }

    private Frame push(int length) {
        if (depth == frames.size()) {
            frames.add(new Frame());
        }
        Frame frame = frames.get(depth++);
        frame.length = length;
        frame.filled = 0;
        announced += length;
        return frame;
    }

    /** One list; used again for the next one at its depth. */
    private static final class Frame {

        /** Null for an attribute. */
        private @Nullable Kind kind;

        private RespValue[] elements = NOTHING;
        private int filled;
        private int length;

        void add(RespValue value) {
            if (kind != null) {
                if (filled == elements.length) {
                    int room = (int) Math.max(2L * filled, FIRST_ELEMENTS);
                    elements = Arrays.copyOf(elements, Math.min(room, length));
                }
                elements[filled] = value;
            }
            filled++;
        }

        RespValue[] takeElements() {
            RespValue[] taken = elements;
            elements = NOTHING;
            return taken;
        }
    }
}
