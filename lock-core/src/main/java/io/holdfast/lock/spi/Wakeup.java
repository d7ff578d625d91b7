package io.holdfast.lock.spi;

/** The receiver of the messages of a subscription. Called on a transport's thread; must not block. */
public interface Wakeup {

    /**
     * The server has confirmed the subscription: from now on messages arrive. Called at <em>every</em> confirmation,
     * so also after a reconnect, when messages may have been missed.
     */
    void ready();

    /** Messages do not arrive any more, as far as is known, until {@link #ready} is called again. */
    default void silent() {}

    /** A message was published. */
    void message(String text);
}
