package io.holdfast.lock.netty.topology;

import io.holdfast.lock.netty.connection.ErrorReplies;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.ServerReport.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What a server's answers say of the rights of the user. */
final class RightsAnswer {

    private static final int ALLOWED = 1;
    private static final int DENIED = 0;
    private static final int ABSENT = -1;

    /** How servers refuse a key. These words stand behind the user's name, which may have any but blanks. */
    private static final Pattern OF_KEYS =
            Pattern.compile(" permissions to access (?:a key|one of the keys|the .* key)\\b");

    private RightsAnswer() {}

    /** By the answer to a command that was tried: the server asks for rights before it looks at anything else. */
    static Verdict ofTry(RespValue answer) {
        if (!answer.isError()) {
            return Verdict.ALLOWED;
        }
        if (answer.errorCode().equals("NOPERM")) {
            return OF_KEYS.matcher(answer.errorText()).find() ? Verdict.KEYS_DENIED : Verdict.DENIED;
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
