package io.holdfast.lock.options;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Options that say one thing in several ways. A variable that says it in one way replaces what a file says in another. */
final class Alternatives {

    private static final String SENTINEL = SentinelDraft.ROOM;
    private static final String PLAIN = SENTINEL + "plain";

    private static final List<List<Set<String>>> ALL = Stream.of(
                    Stream.of(List.of(Set.of(PLAIN), allOf(SENTINEL + TlsDraft.ROOM))), inRoom(""), inRoom(SENTINEL))
            .flatMap(ways -> ways)
            .toList();

    private Alternatives() {}

    /** What is there for a client's servers, and again for its Sentinels. */
    private static Stream<List<Set<String>>> inRoom(String room) {
        return Stream.of(
                List.of(named(room, "password"), named(room, "passwordFile")),
                List.of(named(room, "tls.trustCertificates"), named(room, "tls.trustStore", "tls.trustStorePassword")),
                List.of(
                        named(room, "tls.certificate", "tls.key", "tls.keyPassword"),
                        named(room, "tls.keyStore", "tls.keyStorePassword")));
    }

    private static Set<String> named(String room, String... names) {
        return Stream.of(names).map(name -> room + name).collect(Collectors.toSet());
    }

    private static Set<String> allOf(String room) {
        return OptionTable.ROWS.stream()
                .map(OptionRow::name)
                .filter(name -> name.startsWith(room))
                .collect(Collectors.toSet());
    }

    /** Adds texts that go before those that are there. */
    static void override(Map<String, OptionText> given, Map<String, OptionText> stronger) {
        List<Set<String>> replaced = new ArrayList<>();
        for (List<Set<String>> ways : ALL) {
            ways.stream().filter(way -> isSaid(way, stronger)).findFirst().ifPresent(said -> ways.stream()
                    .filter(way -> way != said)
                    .forEach(replaced::add));
        }
        replaced.forEach(given.keySet()::removeAll);
        given.putAll(stronger);
    }

    /** Not to be without TLS is no way to say which. */
    private static boolean isSaid(Set<String> way, Map<String, OptionText> texts) {
        OptionText plain = texts.get(PLAIN);
        if (plain != null && way.contains(PLAIN)) {
            return !plain.text().strip().equalsIgnoreCase("false");
        }
        return way.stream().anyMatch(texts::containsKey);
    }
}
