package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Script;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The scripts, each read from its {@code .lua} file behind what they share. */
final class Scripts {

    private static final String COMMON = read("common.lua");

    static final Script ACQUIRE = load("acquire");
    static final Script REENTER = load("reenter");
    static final Script RELEASE = load("release");
    static final Script TRANSFER = load("transfer");
    static final Script RENEW = load("renew");
    static final Script PROPOSE = load("propose");
    static final Script ADOPT = load("adopt");
    static final Script JOIN = load("join");
    static final Script MARK = load("mark");
    static final Script MARKED = load("marked");
    static final Script FORCE = load("force");
    static final Script INSPECT = load("inspect");
    static final Script FENCED_SET = load("fenced-set");
    static final Script FENCED_GET = load("fenced-get");

    private Scripts() {}

    static List<Script> all() {
        return List.of(
                ACQUIRE,
                REENTER,
                RELEASE,
                TRANSFER,
                RENEW,
                PROPOSE,
                ADOPT,
                JOIN,
                MARK,
                MARKED,
                FORCE,
                INSPECT,
                FENCED_SET,
                FENCED_GET);
    }

    private static Script load(String name) {
        return new Script(name, COMMON + "\n" + read(name + ".lua"));
    }

    private static String read(String file) {
        try (InputStream in = Scripts.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the script " + file + " is missing from the jar of lock-core");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the script " + file + " cannot be read", unreadable);
        }
    }
}
