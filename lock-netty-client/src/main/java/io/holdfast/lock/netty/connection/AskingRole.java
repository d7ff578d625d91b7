package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.resp.InfoText;
import io.holdfast.lock.netty.resp.RespValue;
import java.util.function.Consumer;

/**
 * INFO replication in flight among the script calls. No other command is answered with lines of text, so that this answer
 * is its own (rule 70).
 */
final class AskingRole implements Control {

    private final Consumer<ServerPart> heard;
    private final Runnable forbidden;
    private String lines = "";

    /** @param forbidden runs if the server does not say it to this user */
    AskingRole(Consumer<ServerPart> heard, Runnable forbidden) {
        this.heard = heard;
        this.forbidden = forbidden;
    }

    @Override
    public boolean isAnswer(RespValue reply, long number) {
        String text = reply.text();
        if (text == null || (!text.isEmpty() && text.indexOf('\n') < 0)) {
            return false;
        }
        lines = text;
        return true;
    }

    @Override
    public void answered() {
        ServerPart part = new ServerPart();
        part.learn("", InfoText.field(lines, "role:"));
        heard.accept(part);
    }

    @Override
    public void refused(RespValue error) {
        if (!ErrorReplies.kind(error).isTransient()) {
            forbidden.run();
        }
    }
}
