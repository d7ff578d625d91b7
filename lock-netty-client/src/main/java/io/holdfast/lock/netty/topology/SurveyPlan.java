package io.holdfast.lock.netty.topology;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which servers a survey of a node asks.
 *
 * @param first those that are asked in any case
 * @param replica how to reach a replica that the primary names; null where such replicas are not asked
 */
public record SurveyPlan(List<ConnectionSettings> first, @Nullable Function<Target.Host, ConnectionSettings> replica) {

    public SurveyPlan {
        first = List.copyOf(first);
    }

    /** Whether there is one server and no other that may take its place. */
    boolean isOneServer() {
        return first.size() == 1 && replica == null;
    }

    /** A survey of one server alone. */
    public static SurveyPlan of(ConnectionSettings server) {
        return new SurveyPlan(List.of(server), null);
    }
}
