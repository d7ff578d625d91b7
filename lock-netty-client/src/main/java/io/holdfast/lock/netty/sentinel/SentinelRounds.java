package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.connection.Command;
import io.holdfast.lock.netty.connection.ErrorReplies;
import io.holdfast.lock.netty.connection.Session;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.netty.sentinel.Testimony.Other;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rounds of questions about one primary, on one connection to a Sentinel.
 *
 * <p>A PING with a number ends each round, so that a lost or doubled answer is noticed before what was said counts. A Sentinel
 * before 7.0 takes no number; there the PONG has to come in its place.
 */
final class SentinelRounds {

    private static final String CHANNEL = "+switch-master";
    private static final int MOST_OTHERS = 64;

    private final Session session;
    private final String primaryName;
    private final Consumer<Testimony> heard;
    private boolean asking;

    // What was said in the round that is under way.

    private @Nullable RespValue addressBefore;
    private @Nullable RespValue primary;
    private @Nullable RespValue addressAfter;
    private @Nullable RespValue others;
    private @Nullable RespValue ownId;

    /** @param heard hears at the end of each round, unless the connection ends before */
    SentinelRounds(Session session, String primaryName, Consumer<Testimony> heard) {
        this.session = session;
        this.primaryName = primaryName;
        this.heard = heard;
    }

    /**
     * Listens for messages that this primary, or another one, was replaced. In RESP2 a connection that does can't ask any more, so
     * there it does not. A user may not be allowed to; asking from time to time goes on.
     */
    void listen() {
        if (session.speaksResp3()) {
            session.say(new Command((reply, number) -> isOf("subscribe", reply), reply -> {}), "SUBSCRIBE", CHANNEL);
            session.flush();
        }
    }

    /** Whether a Sentinel has pushed this. */
    static boolean isOf(String what, RespValue push) {
        return Session.isPush(push) && push.size() > 0 && what.equals(push.text(0));
    }

    /** Whether a round is under way. */
    boolean isAsking() {
        return asking;
    }

    /** Asks all there is to know; one round at a time. */
    void ask() {
        asking = true;
        session.ask(reply -> addressBefore = reply, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", primaryName);
        session.ask(reply -> primary = reply, "SENTINEL", "MASTER", primaryName);
        session.ask(reply -> addressAfter = reply, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", primaryName);
        session.ask(reply -> others = reply, "SENTINEL", "SENTINELS", primaryName);
        session.ask(reply -> ownId = reply, "SENTINEL", "MYID");
        session.endRound(this::onEndOfRound);
        session.flush();
    }

    private void onEndOfRound(RespValue pong) {
        if (isRefusedNumber(pong) && session.numberNoPings()) {
            ask();
            return;
        }
        asking = false;
        Fault refusal = pong.isError() ? ErrorReplies.fault(session.node(), pong) : refusal();
        if (refusal == null) {
            heard.accept(testimony());
        } else {
            session.abort(refusal);
        }
    }

    /** Why this peer will not tell who the primary is; null if it does. */
    private @Nullable Fault refusal() {
        for (RespValue answer : List.of(said(addressBefore), said(addressAfter), said(primary))) {
            if (answer.isError() && !isUnknownName(answer)) {
                Fault fault = ErrorReplies.fault(session.node(), answer);
                return fault.kind() == Kind.SERVER_ERROR
                        ? new Fault(
                                Kind.NOT_REDIS,
                                false,
                                session.node(),
                                "this is no Sentinel: it answers " + fault.detail() + " (expected: the address of a"
                                        + " Sentinel)")
                        : fault;
            }
        }
        return null;
    }

    private Testimony testimony() {
        RespValue before = said(addressBefore);
        RespValue after = said(addressAfter);
        RespValue master = said(primary);
        boolean knowsNone = before.isNull() && after.isNull();
        Target.Host named = named(before);
        Word word = null;
        if (named != null && named.equals(named(after)) && !master.isError()) {
            word = new Word(named, number(master.entry("config-epoch")));
        }
        String id = said(ownId).text();
        return new Testimony(
                session.node(),
                id == null || id.isEmpty() || said(ownId).isError() ? session.node() : id,
                word,
                knowsNone,
                others(said(others)),
                otherCount(master),
                runId(master, named));
    }

    /** The Sentinel that leads a failover names the new primary already, and tells all else of the old one for a second. */
    private static String runId(RespValue master, Target.@Nullable Host named) {
        if (master.isError() || named == null) {
            return "";
        }
        String id = master.entry("runid");
        boolean isOfNamed = named.equals(Target.Host.announced(master.entry("ip"), master.entry("port")));
        return isOfNamed && id != null ? id : "";
    }

    /** A number beyond all reason stays one: it says that no majority can be had. */
    private static int otherCount(RespValue master) {
        long count = master.isError() ? Testimony.UNTOLD : number(master.entry("num-other-sentinels"));
        return (int) Math.max(Testimony.UNTOLD, Math.min(Integer.MAX_VALUE, count));
    }

    private static boolean isRefusedNumber(RespValue pong) {
        return pong.isError() && pong.errorText().contains("wrong number of arguments");
    }

    private static boolean isUnknownName(RespValue error) {
        String text = error.errorText();
        return text.contains("No such master") || text.contains("No such primary");
    }

    private static Target.@Nullable Host named(RespValue address) {
        return address.isList() && address.size() == 2 ? Target.Host.announced(address.text(0), address.text(1)) : null;
    }

    /** Other Sentinels. What a Sentinel may not tell, or says in an unknown form, is left out. */
    private static List<Other> others(RespValue list) {
        List<Other> others = new ArrayList<>();
        for (int i = 0; i < Math.min(list.size(), MOST_OTHERS); i++) {
            RespValue each = list.get(i);
            Target.Host address = Target.Host.announced(each.entry("ip"), each.entry("port"));
            if (address != null) {
                others.add(new Other(each.entry("runid"), address));
            }
        }
        return others;
    }

    private static long number(@Nullable String digits) {
        try {
            return Long.parseLong(String.valueOf(digits));
        } catch (NumberFormatException none) {
            return -1;
        }
    }

    private static RespValue said(@Nullable RespValue answer) {
        return Objects.requireNonNull(answer, "the end of a round without its answers");
    }
}
