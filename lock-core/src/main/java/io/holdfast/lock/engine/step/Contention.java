package io.holdfast.lock.engine.step;

/** How calls for one lock give way to others where several want it and none has it. Belongs to the cell's steps. */
public interface Contention {

    /** There is none. */
    Contention NONE = new Contention() {
        @Override
        public void decided() {}

        @Override
        public boolean splits(Outcome.Refused refused) {
            return false;
        }

        @Override
        public long pauseNanos() {
            return 0;
        }

        @Override
        public boolean isDeaf() {
            return false;
        }

        @Override
        public long spreadNanos() {
            return 0;
        }
    };

    /** One client has the lock. */
    void decided();

    /** Whether several clients want the lock and none has it, as this answer says. */
    boolean splits(Outcome.Refused refused);

    /** No client has it: how long to wait before asking again. */
    long pauseNanos();

    /** Whether messages that come now are the others' giving way, and not a reason to ask. */
    boolean isDeaf();

    /** How long the head of the queue waits after a message, so that clients which all heard it do not collide. */
    long spreadNanos();
}
