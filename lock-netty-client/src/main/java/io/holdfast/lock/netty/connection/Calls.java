package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.ScriptCall;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells calls what became of them. A call that throws must not take the others on its connection along. */
final class Calls {

    private static final Logger log = LoggerFactory.getLogger(Calls.class);

    private Calls() {}

    static void reply(ScriptCall call, Reply reply) {
        try {
            call.onReply(reply);
        } catch (RuntimeException | Error bug) {
            log.error("Call of {} failed on its answer", call.script, bug);
        }
    }

    static void overdue(ScriptCall call) {
        try {
            call.onOverdue();
        } catch (RuntimeException | Error bug) {
            log.error("Call of {} failed when it was overdue", call.script, bug);
        }
    }

    static void fault(ScriptCall call, Fault fault) {
        try {
            call.onFault(fault);
        } catch (RuntimeException | Error bug) {
            log.error("Call of {} failed on its fault {}", call.script, fault, bug);
        }
    }
}
