package io.holdfast.lock.netty.replication;

/**
 * The key that a connection writes, so that there is something to wait for: one that its server takes. Belongs to the event
 * loop.
 */
public interface WaitKey {

    /** Its name. */
    String name();

    /** A round begins, for what was granted in this slot and perhaps in others. */
    void begin(int slot);

    /** Whether the server takes it only after ASKING, since the key's slot is on its way there. */
    boolean isAsked();

    /** The server has sent the write elsewhere: takes another key in its place; false if there is none left for this round. */
    boolean next();

    /** A key that the server takes, if it takes any. */
    static WaitKey of(String name) {
        return new WaitKey() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void begin(int slot) {}

            @Override
            public boolean isAsked() {
                return false;
            }

            @Override
            public boolean next() {
                return false;
            }
        };
    }
}
