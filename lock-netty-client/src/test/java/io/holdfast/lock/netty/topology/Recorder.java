package io.holdfast.lock.netty.topology;

import io.holdfast.lock.spi.Wakeup;
import java.util.List;

/** Writes down what a subscription tells: {@code ready}, or the message. */
final class Recorder implements Wakeup {

    private final List<String> news;

    private Recorder(List<String> news) {
        this.news = news;
    }

    static Wakeup into(List<String> news) {
        return new Recorder(news);
    }

    @Override
    public void ready() {
        news.add("ready");
    }

    @Override
    public void message(String text) {
        news.add(text);
    }
}
