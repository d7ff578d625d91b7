package io.holdfast.lock.options;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Options that say one thing in several ways. A variable that says it in one way replaces what a file says in another. */
final class Alternatives {

    private static final List<List<Set<String>>> ALL = List.of(
            List.of(Set.of("password"), Set.of("passwordFile")),
            List.of(Set.of("tls.trustCertificates"), Set.of("tls.trustStore", "tls.trustStorePassword")),
            List.of(
                    Set.of("tls.certificate", "tls.key", "tls.keyPassword"),
                    Set.of("tls.keyStore", "tls.keyStorePassword")));

    private Alternatives() {}

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

    private static boolean isSaid(Set<String> way, Map<String, OptionText> texts) {
        return way.stream().anyMatch(texts::containsKey);
    }
}
