package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.ServerReport.Move;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read out of {@code CLUSTER NODES}. */
class NodesTextTest {

    @Test
    void movesOfTheNodeItselfAndFailedNodesAreRead() {
        NodesText told = NodesText.parse("a1 10.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-76 78"
                + " [77->-b2] [9000-<-c3] [5->-gone]\n"
                + "b2 10.0.0.2:7000@17000,host.internal master - 0 1 2 connected 79-8999 [3->-c3]\n"
                + "c3 10.0.0.3:7000@17000 master,fail - 0 1 3 disconnected 9000-16383\n"
                + "d4 10.0.0.4:7000@17000 slave,fail? a1 0 1 1 connected\n"
                + "e5 10.0.0.5:7000@17000 slave,fail b2 0 1 1 disconnected\n");
        assertThat(told.moves())
                .containsExactly(
                        new Move(77, true, "10.0.0.2:7000"),
                        new Move(9_000, false, "10.0.0.3:7000"),
                        new Move(5, true, "gone"));
        assertThat(told.failed()).containsExactly("10.0.0.3:7000", "10.0.0.5:7000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n\n",
                "a1 h:1@2 myself",
                "a1 h:1@2 myself,master - 0 0 1 connected [->-] [->-x] [77->- [x->-b] [123456->-b] ->-",
                "OK"
            })
    void whatIsNotOfThatFormIsNothing(String text) {
        assertThat(NodesText.parse(text)).isEqualTo(NodesText.parse(""));
    }
}
