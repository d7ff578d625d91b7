package memory;

import io.holdfast.lock.spi.Reply;
import java.util.List;

/** A list of integers. */
record Answer(List<Long> integers) implements Reply {

    @Override
    public int size() {
        return integers.size();
    }

    @Override
    public long integer() {
        throw new UnsupportedOperationException("a list");
    }

    @Override
    public long integer(int index) {
        return integers.get(index);
    }

    @Override
    public String text() {
        throw new UnsupportedOperationException("a list");
    }

    @Override
    public String text(int index) {
        return Long.toString(integer(index));
    }

    @Override
    public byte[] bytes() {
        throw new UnsupportedOperationException("a list");
    }

    @Override
    public Reply get(int index) {
        throw new UnsupportedOperationException("a list of integers");
    }

    @Override
    public boolean isNull() {
        return false;
    }
}
