package io.holdfast.lock.engine.kind;

import io.holdfast.lock.spi.Script;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The scripts of the failover guard (rules 86, 87): {@code term}, and the guarded form of each script that takes a lock or
 * keeps it.
 *
 * <p>A guarded form is the same script as a function, and the guard behind it, which asks which term the server is in
 * before it calls that. The term is the first key, and the guard takes its own arguments, the last ones, away: the script sees what is its own.
 */
public final class GuardedScripts {

    private static final String BEFORE = "local function step() ";

    /** Forms of scripts that are there for as long as the process. */
    private static final Map<Script, Script> FORMS = new ConcurrentHashMap<>();

    public static final Script TERM = Script.later("term", true, () -> behindPrimary("term"));
    static final Script ACQUIRE = of(Scripts.ACQUIRE);
    static final Script REENTER = of(Scripts.REENTER);
    static final Script TRANSFER = of(Scripts.TRANSFER);
    static final Script RENEW = of(Scripts.RENEW);
    static final Script QUEUE_JOIN = of(Scripts.QUEUE_JOIN);
    static final Script KEEP = of(Scripts.KEEP);
    static final Script PERMIT_JOIN = of(Scripts.PERMIT_JOIN);
    static final Script PERMIT_KEEP = of(Scripts.PERMIT_KEEP);
    static final Script COND_AWAIT = of(Scripts.COND_AWAIT);

    private GuardedScripts() {}

    static List<Script> all() {
        return List.of(TERM, ACQUIRE, REENTER, TRANSFER, RENEW, QUEUE_JOIN, KEEP, PERMIT_JOIN, PERMIT_KEEP, COND_AWAIT);
    }

    /** The guarded form of a script; the same at every call. */
    public static Script of(Script step) {
        return FORMS.computeIfAbsent(step, GuardedScripts::guard);
    }

    private static Script guard(Script step) {
        return Script.later(
                "guarded-" + step.name(),
                step.isUrgent(),
                () -> BEFORE + Assembly.behindOneKey(step.source()) + "\nend\n" + behindPrimary("guard"));
    }

    private static String behindPrimary(String name) {
        return Assembly.of(Scripts.read("primary") + "\n", Scripts.read(name));
    }
}
