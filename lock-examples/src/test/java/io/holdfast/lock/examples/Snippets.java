package io.holdfast.lock.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
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

        /** What is wrong with it; empty if it compiles. */
        List<String> faults(Path classFolder) {
            Matcher type = TYPE.matcher(code);
            return type.find()
                    ? compile(type.group(3), withImports(code), classFolder)
                    : compile("Snippet", wrapped(), classFolder);
        }

        /** Statements become the body of a method that has a connected client. */
        private String wrapped() {
            String statements = IMPORT.matcher(code).replaceAll("");
            String imports =
                    IMPORT.matcher(code).results().map(found -> found.group()).collect(Collectors.joining());
            return withImports(imports + "class Snippet { void run(LockClient client) throws Exception {\n" + statements
                    + "\n} }");
        }

        /** The imports that the guide says its examples assume. */
        private static String withImports(String source) {
            return "import io.holdfast.lock.*; import java.time.*; import java.util.*; import java.util.concurrent.*;\n"
                    + source;
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

    private static List<String> compile(String typeName, String source, Path classFolder) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-proc:none", "-classpath", System.getProperty("java.class.path"), "-d", classFolder.toString());
        compiler.getTask(null, null, messages, options, null, List.of(new SourceText(typeName, source)))
                .call();
        return messages.getDiagnostics().stream()
                .filter(message -> message.getKind() == Diagnostic.Kind.ERROR)
                .map(message -> message.getMessage(Locale.ROOT) + " at: "
                        + source.lines()
                                .skip(Math.max(0, message.getLineNumber() - 1))
                                .findFirst()
                                .orElse("")
                                .strip())
                .toList();
    }

    private static final class SourceText extends SimpleJavaFileObject {

        private final String source;

        SourceText(String typeName, String source) {
            super(URI.create("string:///" + typeName + ".java"), Kind.SOURCE);
            this.source = source;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
        }
    }
}
