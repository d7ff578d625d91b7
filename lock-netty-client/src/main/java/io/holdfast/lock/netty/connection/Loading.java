package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Script;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A script on its way to the server. */
final class Loading implements Control {

    private static final Logger log = LoggerFactory.getLogger(Loading.class);

    private final Script form;
    private final String node;
    private final Consumer<String> forbidden;

    /** @param forbidden hears why the server lets this user load no script */
    Loading(Script form, String node, Consumer<String> forbidden) {
        this.form = form;
        this.node = node;
        this.forbidden = forbidden;
    }

    @Override
    public boolean isAnswer(RespValue reply, long number) {
        return form.sha1().equals(reply.text());
    }

    @Override
    public void refused(RespValue error) {
        Kind kind = ErrorReplies.kind(error);
        if (kind == Kind.NOPERM || kind == Kind.SCRIPT_REFUSED || kind == Kind.SERVER_ERROR) {
            // Not allowed, or not known: SCRIPT may have another name there, or none.
            forbidden.accept(ErrorReplies.detail(error));
        } else {
            // The call behind it meets the same obstacle, and says so.
            log.debug("{} did not load {}: {}", node, form, ErrorReplies.detail(error));
        }
    }
}
