package io.holdfast.lock.netty.topology;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.resp.RespValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the answer to INFO says. */
final class InfoText {

    private InfoText() {}

    /** Its fields; none if the question was refused. */
    static Map<String, String> fields(RespValue answer) {
        Map<String, String> fields = new HashMap<>();
        String text = answer.isError() ? null : answer.text();
        if (text != null) {
            text.lines().forEach(line -> {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    fields.put(
                            line.substring(0, colon), line.substring(colon + 1).trim());
                }
            });
        }
        return fields;
    }

    /** The replicas that a primary names, at most so many. */
    static List<Target.Host> replicas(Map<String, String> fields, int most) {
        List<Target.Host> replicas = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            Map<String, String> parts = new HashMap<>();
            for (String part : fields.getOrDefault("slave" + i, "").split(",", -1)) {
                int equals = part.indexOf('=');
                if (equals > 0) {
                    parts.put(part.substring(0, equals), part.substring(equals + 1));
                }
            }
            Target.Host replica = Target.Host.announced(parts.get("ip"), parts.get("port"));
            if (replica != null) {
                replicas.add(replica);
            }
        }
        return replicas;
    }
}
