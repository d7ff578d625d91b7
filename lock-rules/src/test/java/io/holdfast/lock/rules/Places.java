package io.holdfast.lock.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The place of each module, as {@code release/modules} says: published, or kept. */
final class Places {

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final String NEVER_DEPLOYED = "<maven.deploy.skip>true</maven.deploy.skip>";

    private Places() {}

    /** What is wrong with the list, given the POM of the parent and those of its modules. */
    static List<String> violations(String list, String parent, Map<String, String> poms) {
        Map<String, String> places = new TreeMap<>();
        List<String> wrong = new ArrayList<>();
        for (String line : list.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList()) {
            String[] words = line.strip().split(" +");
            if (words.length != 2 || !words[0].matches("published|kept")) {
                wrong.add(line + ": not a place (expected: published or kept, and a module)");
            } else if (places.put(words[1], words[0]) != null) {
                wrong.add(words[1] + ": two places");
            }
        }
        List<String> modules = MODULE.matcher(parent)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
        places.keySet().stream()
                .filter(module -> !modules.contains(module))
                .forEach(module -> wrong.add(module + ": no module of the build"));
        for (String module : modules) {
            String place = places.get(module);
            String pom = poms.getOrDefault(module, "");
            if (place == null) {
                wrong.add(module + ": no place in release/modules (published or kept?)");
            } else if (place.equals("kept") != pom.contains(NEVER_DEPLOYED)) {
                wrong.add(module + ": " + place + ", and its POM says otherwise by maven.deploy.skip");
            } else if (place.equals("published") && !(pom.contains("<name>") && pom.contains("<description>"))) {
                wrong.add(module + ": published, and its POM lacks a name or a description");
            }
        }
        return wrong;
    }
}
