package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.UnexpectedReplyException;
import io.holdfast.lock.text.Printable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells calls what became of them. A call that throws must not take the others on its connection along. */
public final class Calls {

    private static final Logger log = LoggerFactory.getLogger(Calls.class);

    private final Traffic traffic;

    /** @param traffic hears of each call that has ended */
    public Calls(Traffic traffic) {
        this.traffic = traffic;
    }

    /** False if the answer is none that the script gives: then the call has not ended yet. */
    boolean reply(ScriptCall call, Reply reply) {
        try {
            call.onReply(reply);
        } catch (UnexpectedReplyException wrong) {
            log.warn(
                    "Call of {} got an answer that the script does not give: {}",
                    call.script,
                    Printable.message(wrong.getMessage()));
            return false;
        } catch (RuntimeException | Error bug) {
            log.error("Call of {} failed on its answer", call.script, bug);
        }
        traffic.ended(call);
        return true;
    }

    void overdue(ScriptCall call) {
        try {
            call.onOverdue();
        } catch (RuntimeException | Error bug) {
            log.error("Call of {} failed when it was overdue", call.script, bug);
        }
        traffic.overdue();
    }

    /** There will be no answer. */
    public void fault(ScriptCall call, Fault fault) {
        try {
            call.onFault(fault);
        } catch (RuntimeException | Error bug) {
            log.error("Call of {} failed on its fault {}", call.script, fault, bug);
        }
        traffic.ended(call);
    }
}
