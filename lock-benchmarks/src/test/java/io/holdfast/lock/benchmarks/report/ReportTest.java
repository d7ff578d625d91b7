package io.holdfast.lock.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.benchmarks.console.Screen;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.Made;
import io.holdfast.lock.benchmarks.result.RunResult;
import io.holdfast.lock.benchmarks.workload.Effort;
import io.holdfast.lock.benchmarks.workload.Workloads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Reports of a made run: each chart is there, and each form can be read by whoever it is for. */
class ReportTest {

    private static final RunResult RUN = Made.everything();
    private static final String PAGE = new HtmlReport(RUN).toString();

    @Test
    void thePageHasEveryKindOfChart() {
        assertThat(PAGE)
                .contains("latency by percentile")
                .contains("throughput: title of uncontended-lease")
                .contains("throughput, op/s by threads")
                .contains("Holdfast: who had the lock when")
                .contains("how often each thread was served: title of same-lock-16")
                .contains("commands sent per operation: title of uncontended-lease")
                .contains("allocated per operation: title of uncontended-lease")
                .contains("heap per hold: title of watched-100000");
    }

    @Test
    void everyWorkloadHasItsPlaceOnThePage() {
        assertThat(Workloads.all(Effort.full())).allSatisfy(workload -> assertThat(
                        Chapter.all().stream().filter(chapter -> chapter.has(workload.about())))
                .as(workload.about().name())
                .hasSize(1));
    }

    @Test
    void thePageTellsGoalsMethodAndEnvironment() {
        assertThat(PAGE).contains("goals met").contains("missed by").contains("HdrHistogram");
        assertThat(PAGE).contains("two &lt;fast&gt; cores &amp; more").doesNotContain("<fast>");
        for (PeerKind peer : PeerKind.values()) {
            assertThat(PAGE).contains(peer.title());
        }
    }

    @Test
    void thePageNeedsNothingFromElsewhere() {
        assertThat(PAGE).doesNotContain("http://").doesNotContain("https://").doesNotContain("<script");
    }

    @Test
    void everyDrawingIsWellFormed() throws ParserConfigurationException, IOException, SAXException {
        Matcher drawing = Pattern.compile("(?s)<svg.*?</svg>").matcher(PAGE);
        int drawings = 0;
        while (drawing.find()) {
            DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(drawing.group())));
            assertThat(drawing.group()).doesNotContain("NaN").doesNotContain("Infinity");
            drawings++;
        }
        assertThat(drawings).isGreaterThan(15);
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("made-report.html"), PAGE);
    }

    @Test
    void jsonHasEveryRound() {
        assertThat(new JsonReport(RUN).toString())
                .contains("\"name\":\"uncontended-lease\"")
                .contains("\"throughput\":[10000,10001,10002]")
                .contains("\"processor\":\"two <fast> cores & more\"")
                .contains("\"met\":true");
    }

    @Test
    void resultsInAPageReplaceThoseBeforeAndNothingElse() {
        PageReport report = new PageReport(RUN);
        String once = report.into("# Title\n\nwords\n");
        assertThat(once).startsWith("# Title\n\nwords\n\n" + PageReport.BEGIN).endsWith(PageReport.END + "\n");
        assertThat(report.into(once)).isEqualTo(once);
        assertThat(report.into(once + "\nmore words\n")).isEqualTo(once + "\nmore words\n");
    }

    @Test
    void withoutATerminalTablesAreAlignedAndHaveNoColour() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TerminalReport report =
                new TerminalReport(new Screen(new PrintStream(bytes, true, StandardCharsets.UTF_8), false, false));
        RUN.workloads().forEach(report::print);
        report.printEnd(RUN);
        String text = bytes.toString(StandardCharsets.UTF_8);
        assertThat(text).contains("Holdfast/it").contains("Goals: ").doesNotContain("\u001b");
        assertThat(text.lines().filter(line -> line.startsWith("Redisson "))).isNotEmpty();
    }
}
