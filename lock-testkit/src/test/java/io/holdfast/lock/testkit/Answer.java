package io.holdfast.lock.testkit;

/** What a node says to one command, as text: an error is an answer like any other. */
final class Answer {
    private Answer() {}

    static String of(RedisServer node, String... words) {
        try (RawRedis raw = node.connect()) {
            return String.valueOf(raw.command(words));
        } catch (RedisErrorReply e) {
            return String.valueOf(e.getMessage());
        }
    }
}
