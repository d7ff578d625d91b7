package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.ScriptCall;

/**
 * What becomes of the calls that were handed to an endpoint, for a part that decides which node each is sent to. Called on
 * the endpoint's event loop.
 */
public interface Traffic {

    /** For a server of which there is one. */
    Traffic ALONE = new Traffic() {

        @Override
        public boolean isSentOn(ScriptCall call, Fault.Kind kind, RespValue error) {
            return false;
        }

        @Override
        public void ended(ScriptCall call) {
            // The call knows.
        }

        @Override
        public void overdue() {
            // The same.
        }
    };

    /**
     * A node has refused a call, which had no effect and is not overdue.
     *
     * @return whether the call is sent on, so that it has not ended
     */
    boolean isSentOn(ScriptCall call, Fault.Kind kind, RespValue error);

    /** A call has its answer, or will get none. */
    void ended(ScriptCall call);

    /** A call has waited for its answer until its deadline. */
    void overdue();
}
