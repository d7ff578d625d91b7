package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.ScriptCall;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The way of calls to one of several nodes, for a part that decides which node each is sent to; what becomes of the calls is told
 * to its {@link Traffic}. All methods are called on the event loop that the nodes share, but for {@link #look}.
 */
public interface NodeCalls {

    /** Takes a call that has come in elsewhere, whether there is room or not; {@link #write} writes it. */
    void take(ScriptCall call);

    /** The same for a call that the node takes only if it is told that the slot is on its way there. */
    void takeAsking(ScriptCall call);

    /** Writes what can be written of the calls that were taken. */
    void write();

    /** Hands those calls over that are not written yet and that the test picks; they belong to the caller then. */
    void takeOut(Predicate<ScriptCall> picked, Consumer<ScriptCall> taken);

    /** Ends the connection at once, and makes another one: what is in flight may have been applied. */
    void breakOff(String why);

    /** Ends the connection if there is nothing to do, until there is. */
    void rest(String why);

    /** Ends the connection at once, until there is something to do: what is in flight may have been applied. */
    void leave(String why);

    /** Lets calls finish for a while, then ends the connection. */
    CompletionStage<Void> close(long graceNanos);

    /** How the connection stands. Any thread. */
    Stream<NodeConnection> look();
}
