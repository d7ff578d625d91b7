package io.holdfast.lock.spi;

import java.util.List;

/**
 * What a diagnosis asks of each server besides what the transport asks by itself: a script that says which commands the
 * user may run.
 *
 * @param script answers with a list of numbers: for each right 1 if the user has it, 0 if not, -1 if the server has no
 *     such command, and -2 if it can't tell
 * @param keys the script's keys, none of which is in use; of one slot
 * @param channel a channel of this library, which is not in use; the script's first argument
 * @param commands the script's other arguments: a form of each command
 * @param rights the same commands, as ACL rules name them
 */
public record Survey(Script script, List<String> keys, String channel, List<String> commands, List<String> rights) {

    public Survey {
        keys = List.copyOf(keys);
        commands = List.copyOf(commands);
        rights = List.copyOf(rights);
        if (commands.size() != rights.size()) {
            throw new IllegalArgumentException(
                    "rights: " + rights.size() + " (expected: " + commands.size() + ", one for each command)");
        }
    }
}
