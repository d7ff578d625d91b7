package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A client over several nodes, called a, b, c and so on, which answer what the test says, when it says so. */
final class ScriptedQuorum {
    /** A token that every node gives in tests that are not about tokens. */
    static final long TOKEN = 7;

    final ManualRuntime runtime = new ManualRuntime(1);
    final List<ScriptedBackend> nodes = new ArrayList<>();
    private final QuorumOptions options;

    ScriptedQuorum(int size) {
        this(size, QuorumOptions.defaults());
    }

    ScriptedQuorum(int size, QuorumOptions options) {
        this.options = options;
        for (int i = 0; i < size; i++) {
            nodes.add(new ScriptedBackend(runtime, String.valueOf((char) ('a' + i))));
        }
    }

    /** A client whose fields begin with its id. */
    LockClient client(String id) {
        return EngineClient.overQuorum(
                nodes, ClientOptions.builder().clientRecord(false).build(), options, id);
    }

    RLock lock() {
        return client("c").getLock("stock");
    }

    ScriptedBackend node(int index) {
        return nodes.get(index);
    }

    /** The oldest call without an answer at a node, which must be of this script. */
    Sent next(int index, String script) {
        return nodes.get(index).next(script);
    }

    /** Each node's oldest call without an answer, all of which must be of this script. */
    void each(String script, Consumer<Sent> answer) {
        List<Sent> asked = nodes.stream().map(node -> node.next(script)).toList();
        asked.forEach(answer);
    }

    void grantAll() {
        each("propose", asked -> asked.granted(TOKEN));
    }

    /** Answers everything that is open, and what follows from it, with the script's word for "done". */
    void doneAll() {
        for (List<Sent> open = open(); !open.isEmpty(); open = open()) {
            open.forEach(Sent::done);
        }
    }

    /** The calls without an answer at all nodes. */
    List<Sent> open() {
        return nodes.stream().flatMap(node -> node.open().stream()).toList();
    }

    void assertNothingOpen() {
        assertThat(open()).as("calls without an answer").isEmpty();
    }

    /** The scripts that a node was sent, in their order. */
    List<String> scripts(int index) {
        return nodes.get(index).sent.stream().map(Sent::script).toList();
    }

    /** How many calls of a script were sent to all nodes. */
    long count(String script) {
        return nodes.stream()
                .flatMap(node -> node.sent.stream())
                .filter(call -> call.script().equals(script))
                .count();
    }
}
