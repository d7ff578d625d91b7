package io.holdfast.lock.micrometer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A query in the language of Prometheus: as much of it as a dashboard and alert rules use. */
record Query(String text) {

    private static final Pattern STRING = Pattern.compile("\"[^\"]*\"");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)");
    private static final Pattern SELECTOR =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)\\s*(?:\\{([^}]*)})?(?!\\s*\\(|[a-zA-Z0-9_:])");
    private static final Pattern MATCHER = Pattern.compile("([a-zA-Z_]+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");
    private static final Pattern SERIES = Pattern.compile("(?m)^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{([^}]*)})? \\S+.*$");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]+)=\"([^\"]*)\"");
    /** What Prometheus adds to each series that it scrapes. */
    private static final Set<String> ADDED = Set.of("instance", "job");

    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool");

    /** The series of a scrape: each name with its labels, and their values. */
    static Map<String, Map<String, Set<String>>> scraped(String scrape) {
        Map<String, Map<String, Set<String>>> series = new TreeMap<>();
        Matcher line = SERIES.matcher(scrape);
        while (line.find()) {
            Map<String, Set<String>> labels = series.computeIfAbsent(line.group(1), name -> new TreeMap<>());
            Matcher label = LABEL.matcher(line.group(2) == null ? "" : line.group(2));
            while (label.find()) {
                labels.computeIfAbsent(label.group(1), name -> new TreeSet<>()).add(label.group(2));
            }
        }
        return series;
    }

    /** What it names that is not in the scrape. */
    List<String> faults(Map<String, Map<String, Set<String>>> scraped) {
        List<String> faults = new ArrayList<>();
        Set<String> labels = new TreeSet<>(ADDED);
        Map<String, String> selectors = selectors();
        selectors.forEach((name, matchers) -> {
            Map<String, Set<String>> series = scraped.get(name);
            if (series == null) {
                faults.add("no series " + name);
                return;
            }
            labels.addAll(series.keySet());
            Matcher matcher = MATCHER.matcher(matchers);
            while (matcher.find()) {
                faults.addAll(faults(
                        name,
                        series,
                        matcher.group(1),
                        matcher.group(3),
                        matcher.group(2).endsWith("~")));
            }
        });
        if (selectors.isEmpty()) {
            faults.add("no series at all");
        }
        Matcher grouping = GROUPING.matcher(text);
        while (grouping.find()) {
            for (String label : grouping.group(1).split(",")) {
                if (!labels.contains(label.strip())) {
                    faults.add("no label " + label.strip());
                }
            }
        }
        return faults;
    }

    private static List<String> faults(
            String name, Map<String, Set<String>> series, String label, String value, boolean pattern) {
        if (ADDED.contains(label)) {
            return List.of();
        }
        Set<String> values = series.get(label);
        if (values == null) {
            return List.of("no label " + label + " of " + name);
        }
        List<String> faults = new ArrayList<>();
        for (String one : pattern ? value.split("\\|") : new String[] {value}) {
            if (values.stream().noneMatch(pattern ? Pattern.compile(one).asMatchPredicate() : one::equals)) {
                faults.add("no value " + one + " of " + label + " of " + name);
            }
        }
        return faults;
    }

    /** The names of series, each with what is in braces behind it. */
    private Map<String, String> selectors() {
        Map<String, String> selectors = new LinkedHashMap<>();
        String bare = GROUPING.matcher(text).replaceAll(" ").replaceAll("\\[[^]]*]", " ");
        Matcher selector = SELECTOR.matcher(bare);
        Matcher string = STRING.matcher(bare);
        while (selector.find()) {
            String name = selector.group(1);
            if (!WORDS.contains(name)
                    && string.reset()
                            .results()
                            .noneMatch(
                                    quoted -> quoted.start() < selector.start() && selector.start() < quoted.end())) {
                selectors.merge(
                        name, selector.group(2) == null ? "" : selector.group(2), (one, other) -> one + "," + other);
            }
        }
        return selectors;
    }
}
