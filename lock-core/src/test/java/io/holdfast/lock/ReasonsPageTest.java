package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/troubleshooting.md} has each reason once, with the exception that has it and a cause. */
class ReasonsPageTest {

    private static final Path PAGE = Path.of("../docs/troubleshooting.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[A-Z_`, ]+`) +\\| (.+?) +\\|(?: (.+?) +\\|)?$");
    private static final Pattern NAME = Pattern.compile("[A-Z_]+");

    @Test
    void eachReasonOfALossIsThere() throws IOException {
        assertThat(rows("### Why a hold was lost").keySet()).containsExactlyInAnyOrder(names(LossReason.values()));
    }

    @Test
    void eachReasonOfAFailureIsThere() throws IOException {
        assertThat(rows("### Why a call failed").keySet()).containsExactlyInAnyOrder(names(FailureReason.values()));
    }

    @Test
    void aFaultThatPassesIsAnotherExceptionThanOneThatDoesNot() throws IOException {
        Map<String, String> exceptions = rows("### Why a call failed");
        for (Fault.Kind kind : Fault.Kind.values()) {
            if (kind != Fault.Kind.CLOSED) {
                Class<?> thrown = kind.isTransient() ? LockUnavailableException.class : LockServerException.class;
                assertThat(exceptions).containsEntry(kind.name(), "`" + thrown.getSimpleName() + "`");
            }
        }
    }

    /** What stands in the second column, by each name in the first. */
    private static Map<String, String> rows(String heading) throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(heading) + heading.length();
        Map<String, String> rows = new LinkedHashMap<>();
        Matcher row = ROW.matcher(page.substring(begin, page.indexOf("\n#", begin)));
        while (row.find()) {
            Matcher name = NAME.matcher(row.group(1));
            while (name.find()) {
                assertThat(rows.put(name.group(), row.group(2)))
                        .as("an earlier row of %s", name.group())
                        .isNull();
            }
        }
        return rows;
    }

    private static String[] names(Enum<?>[] values) {
        return Arrays.stream(values).map(Enum::name).toArray(String[]::new);
    }
}
