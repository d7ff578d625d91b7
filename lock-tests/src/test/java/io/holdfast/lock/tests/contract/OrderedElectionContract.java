package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.Leader;
import io.holdfast.lock.LeaderElection;
import io.holdfast.lock.Leadership;
import io.holdfast.lock.TermEnd;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every election must do where one store keeps the order of its candidates. */
abstract class OrderedElectionContract extends ElectionContract {

    @Test
    void candidatesLeadInTheOrderInWhichTheyCame() throws Exception {
        Leadership first = election.campaign("1", bytes("a"));
        Future<Leadership> second = campaign(same, "2", 1);
        Future<Leadership> third = campaign(election, "3", 2);
        first.resign();
        Leadership next = ground.get(second);
        assertThat(third).isNotDone();
        assertThat(election.leader()).map(Leader::id).contains("2");
        next.close();
        Leadership last = ground.get(third);
        assertThat(Stream.of(first, next, last).map(Leadership::id)).containsExactly("1", "2", "3");
        assertThat(last.term()).isGreaterThan(election.leader().orElseThrow().term() - 1);
        last.resign();
    }

    @Test
    void withCandidatesThatWaitALeaderStandsBehindThem() throws Exception {
        LeaderElection limited = election("short").withTermLimit(Duration.ofMillis(500));
        Leadership first = limited.campaign("1", bytes("a"));
        Future<Leadership> second = campaign(same, "2", 1);
        Future<Leadership> third = campaign(same, "3", 2);
        assertThat(ground.get(ended(first))).isEqualTo(TermEnd.LIMIT_REACHED);
        Leadership next = ground.get(second);
        Future<Leadership> again = campaign(limited, "1", 2);
        next.resign();
        assertThat(ground.get(third).id()).isEqualTo("3");
        assertThat(again).isNotDone();
        ground.get(third).resign();
        Leadership last = ground.get(again);
        assertThat(last.term()).isGreaterThan(next.fencingToken());
        last.close();
    }
}
