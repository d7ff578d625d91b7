package io.holdfast.lock.spi;

import java.util.List;
import java.util.function.IntFunction;

/**
 * The question that a diagnosis asks of each server beside those of the transport: a script that says which commands the
 * user may run.
 *
 * @param script answers with a list of numbers: for each right 1 if the user has it, 0 if not, -1 if the server has no
 *     such command, and -2 if it can't tell
 * @param names what the script is given in a slot, since a node of a cluster runs it for slots of its own only; or with {@link
 *     #ANY_SLOT}
 * @param commands the script's other arguments: a form of each command
 * @param rights the same commands, as ACL rules name them
 */
public record Survey(Script script, IntFunction<Names> names, List<String> commands, List<String> rights) {

    /** Where one server has all slots. */
    public static final int ANY_SLOT = -1;

    /**
     * Names of this library that are not in use.
     *
     * @param keys the script's keys, all of one slot
     * @param channel the script's first argument
     */
    public record Names(List<String> keys, String channel) {

        public Names {
            keys = List.copyOf(keys);
        }
    }

    public Survey {
        commands = List.copyOf(commands);
        rights = List.copyOf(rights);
        if (commands.size() != rights.size()) {
            throw new IllegalArgumentException(
                    "rights: " + rights.size() + " (expected: " + commands.size() + ", one for each command)");
        }
    }
}
