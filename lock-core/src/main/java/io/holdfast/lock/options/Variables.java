package io.holdfast.lock.options;

import io.holdfast.lock.text.NearestName;
import io.holdfast.lock.text.Printable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Environment variables as options. */
final class Variables {

    static final String PREFIX = "HOLDFAST_";

    /** Names the file whose options the variables go before. */
    static final String FILE = PREFIX + "FILE";

    private static final Logger log = LoggerFactory.getLogger(Variables.class);

    /** A misspelling changes a few letters; with more of them, it is another word. */
    private static final int FEW_LETTERS = 3;

    /** The unknown ones that this process was told of: its variables never change. */
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    private Variables() {}

    /** What the variables say, by the names of the options. */
    static Map<String, OptionText> read(Map<String, String> variables) {
        Map<String, OptionText> given = new LinkedHashMap<>();
        for (OptionRow<?> row : OptionTable.ROWS) {
            String text = variables.get(row.variable());
            if (text != null) {
                given.put(row.name(), new OptionText(text, "variable " + row.variable()));
            }
        }
        tellUnknown(variables.keySet());
        return given;
    }

    /** A platform sets such variables for services named holdfast, so they are told and not refused. Values may be secrets. */
    private static void tellUnknown(Set<String> names) {
        List<String> known = OptionTable.ROWS.stream().map(OptionRow::variable).collect(Collectors.toList());
        known.add(FILE);
        String unknown = names.stream()
                .filter(name -> name.startsWith(PREFIX) && !known.contains(name) && TOLD.add(name))
                .sorted()
                .map(name -> withGuess(name, known))
                .collect(Collectors.joining(", "));
        if (!unknown.isEmpty()) {
            log.info("variables that set no option: {}", Printable.message(unknown));
        }
    }

    private static String withGuess(String name, List<String> known) {
        return NearestName.of(name, known)
                .filter(nearest -> NearestName.distance(name, nearest) <= FEW_LETTERS)
                .map(nearest -> name + " (" + nearest + "?)")
                .orElse(name);
    }
}
