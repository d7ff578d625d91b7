package io.holdfast.lock.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticListener;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The Java code in Markdown files, compiled against the class path of this module. */
final class Snippets {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```");
    private static final Pattern TYPE = Pattern.compile("(?m)^(public |final )*(class|@?interface|record|enum) (\\w+)");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;\\n");

    private Snippets() {}

    /**
     * A block of code.
     *
     * @param file where it stands
     * @param line its first line there
     * @param code the code
     */
    record Snippet(Path file, int line, String code) {

        /** A file for the compiler; a package of its own keeps it from the others. */
        private SourceText source(int number) {
            Matcher type = TYPE.matcher(code);
            String packageName = "snippet" + number;
            return type.find()
                    ? new SourceText(packageName, type.group(3), withImports(packageName, code))
                    : new SourceText(packageName, "Snippet", wrapped(packageName));
        }

        /** Statements become the body of a method that has a connected client. */
        private String wrapped(String packageName) {
            String statements = IMPORT.matcher(code).replaceAll("");
            String imports =
                    IMPORT.matcher(code).results().map(found -> found.group()).collect(Collectors.joining());
            return withImports(
                    packageName,
                    imports + "class Snippet { void run(LockClient client) throws Exception {\n" + statements
                            + "\n} }");
        }

        /** The imports that the guide says its examples assume. */
        private static String withImports(String packageName, String source) {
            return "package " + packageName + "; import io.holdfast.lock.*; import java.time.*; import java.util.*;"
                    + " import java.util.concurrent.*;\n" + source;
        }

        @Override
        public String toString() {
            return file.getFileName() + ":" + line;
        }
    }

    static List<Snippet> in(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8).replace("\r\n", "\n");
            List<Snippet> snippets = new ArrayList<>();
            Matcher block = BLOCK.matcher(text);
            while (block.find()) {
                int line = (int) text.substring(0, block.start(1)).lines().count() + 1;
                snippets.add(new Snippet(file, line, block.group(1)));
            }
            return snippets;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
    }

    /**
     * What is wrong with each of these; none that compiles is in the map. The compiler sees them together, which takes a
     * small part of the time that it takes for one after the other.
     */
    static Map<Snippet, List<String>> faults(List<Snippet> snippets, Path classFolder) {
        Map<SourceText, Snippet> sources = new LinkedHashMap<>();
        for (Snippet snippet : snippets) {
            sources.put(snippet.source(sources.size()), snippet);
        }
        // One with an error of grammar must not keep the compiler from looking at the others.
        List<String> options = List.of(
                "-proc:none",
                "--should-stop=ifError=FLOW",
                "-Xmaxerrs",
                "1000",
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                classFolder.toString());
        Map<Snippet, List<String>> faults = new LinkedHashMap<>();
        DiagnosticListener<JavaFileObject> listener = message -> {
            if (message.getKind() == Diagnostic.Kind.ERROR) {
                SourceText source = (SourceText) message.getSource();
                faults.computeIfAbsent(sources.get(source), first -> new ArrayList<>())
                        .add(message.getMessage(Locale.ROOT) + " at: " + source.line(message.getLineNumber()));
            }
        };
        ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, listener, options, null, sources.keySet())
                .call();
        return faults;
    }

    private static final class SourceText extends SimpleJavaFileObject {

        private final String source;

        SourceText(String packageName, String typeName, String source) {
            super(URI.create("string:///" + packageName + "/" + typeName + ".java"), Kind.SOURCE);
            this.source = source;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
        }

        String line(long number) {
            return source.lines()
                    .skip(Math.max(0, number - 1))
                    .findFirst()
                    .orElse("")
                    .strip();
        }
    }
}
