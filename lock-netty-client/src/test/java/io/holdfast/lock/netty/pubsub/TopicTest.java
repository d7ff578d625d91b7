package io.holdfast.lock.netty.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Wakeup;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicTest {

    private final Topic topic = new Topic("news", false);
    private final List<String> heard = new ArrayList<>();

    @Test
    void aConfirmationOfAnEarlierRequestIsIgnored() {
        Listener first = listener("first");
        topic.add(first);
        topic.requested(); // SUBSCRIBE
        topic.remove(first);
        topic.requested(); // UNSUBSCRIBE
        topic.add(listener("second"));
        topic.requested(); // SUBSCRIBE

        topic.answered(false);
        topic.answered(false);
        assertThat(heard).isEmpty();
        assertThat(topic.isConfirmed()).isFalse();

        topic.answered(false);
        assertThat(heard).containsExactly("second ready");
    }

    @Test
    void everyConfirmationIsTold() {
        topic.add(listener("a"));
        topic.requested();
        topic.answered(false);
        topic.disconnected();
        assertThat(topic.needsRequest()).isTrue();
        topic.requested();
        topic.answered(false);
        assertThat(heard).containsExactly("a ready", "a silent", "a ready");
    }

    @Test
    void theEndOfASubscriptionThatNobodyAskedForIsTold() {
        topic.add(listener("a"));
        topic.requested();
        topic.answered(false);
        topic.ended();
        assertThat(heard).containsExactly("a ready", "a silent");
    }

    @Test
    void aRefusalIsNotAConfirmation() {
        topic.add(listener("a"));
        topic.requested();
        topic.answered(true);
        assertThat(heard).isEmpty();
        assertThat(topic.needsRequest()).isTrue();
    }

    @Test
    void isForgottenOnlyWhenNothingIsUnderWay() {
        Listener only = listener("a");
        topic.add(only);
        topic.requested();
        topic.remove(only);
        assertThat(topic.isForgettable()).isFalse();
        topic.requested();
        topic.answered(false);
        assertThat(topic.isForgettable()).isFalse();
        topic.answered(false);
        assertThat(topic.isForgettable()).isTrue();
    }

    @Test
    void aClosedListenerHearsNothing() {
        Listener closed = listener("closed");
        topic.add(closed);
        topic.add(listener("open"));
        topic.requested();
        closed.close();
        topic.answered(false);
        topic.message("hello");
        assertThat(heard).containsExactly("open ready", "open hello");
    }

    @Test
    void aListenerThatFailsDoesNotStopTheOthers() {
        topic.add(new Listener("news", failing(), closed -> {}));
        topic.add(listener("a"));
        topic.message("hello");
        assertThat(heard).containsExactly("a hello");
    }

    private Listener listener(String name) {
        return new Listener(
                "news",
                new Wakeup() {
                    @Override
                    public void ready() {
                        heard.add(name + " ready");
                    }

                    @Override
                    public void silent() {
                        heard.add(name + " silent");
                    }

                    @Override
                    public void message(String text) {
                        heard.add(name + " " + text);
                    }
                },
                closed -> {});
    }

    private static Wakeup failing() {
        return new Wakeup() {
            @Override
            public void ready() {
                throw new IllegalStateException("a defect for the test");
            }

            @Override
            public void message(String text) {
                throw new IllegalStateException("a defect for the test");
            }
        };
    }
}
