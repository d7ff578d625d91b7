package io.holdfast.lock.netty.topology;

import io.holdfast.lock.netty.connection.ErrorReplies;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.ServerReport.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a server's answers say of the rights of the user. */
final class RightsAnswer {

    private static final int ALLOWED = 1;
    private static final int DENIED = 0;
    private static final int ABSENT = -1;

    private RightsAnswer() {}

    /** By the answer to a command that was tried: the server asks for rights before it looks at anything else. */
    static Verdict ofTry(RespValue answer) {
        if (!answer.isError()) {
            return Verdict.ALLOWED;
        }
        String text = answer.errorText();
        if (answer.errorCode().equals("NOPERM")) {
            return text.contains("access") && text.contains("key") ? Verdict.KEYS_DENIED : Verdict.DENIED;
        }
        return ErrorReplies.isAbsent(answer) ? Verdict.ABSENT : Verdict.ALLOWED;
    }

    /** By the numbered answer of the script that asks for all rights; none if it did not run. */
    static Map<String, Verdict> ofScript(List<String> rights, RespValue numbered) {
        Map<String, Verdict> verdicts = new HashMap<>();
        if (!numbered.isList() || numbered.size() != 2) {
            return verdicts;
        }
        RespValue answer = numbered.get(1);
        if (answer.isList() && answer.size() == rights.size()) {
            for (int i = 0; i < rights.size(); i++) {
                verdicts.put(rights.get(i), verdict(answer.get(i)));
            }
        }
        return verdicts;
    }

    private static Verdict verdict(RespValue answer) {
        if (answer.kind() != RespValue.Kind.INTEGER) {
            return Verdict.UNKNOWN;
        }
        return switch ((int) answer.integer()) {
            case ALLOWED -> Verdict.ALLOWED;
            case DENIED -> Verdict.DENIED;
            case ABSENT -> Verdict.ABSENT;
            default -> Verdict.UNKNOWN;
        };
    }
}
