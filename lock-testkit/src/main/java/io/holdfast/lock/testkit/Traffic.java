package io.holdfast.lock.testkit;

/**
 * Bytes that came to a {@link FaultProxy}, by what became of them. Bytes that are still kept are in none.
 *
 * @param requestsForwarded from the client, passed on
 * @param requestsSwallowed from the client, lost
 * @param repliesForwarded from the server, passed on
 * @param repliesSwallowed from the server, lost
 */
public record Traffic(long requestsForwarded, long requestsSwallowed, long repliesForwarded, long repliesSwallowed) {
    static final Traffic NONE = new Traffic(0, 0, 0, 0);

    Traffic plus(Traffic other) {
        return new Traffic(
                requestsForwarded + other.requestsForwarded,
                requestsSwallowed + other.requestsSwallowed,
                repliesForwarded + other.repliesForwarded,
                repliesSwallowed + other.repliesSwallowed);
    }
}
