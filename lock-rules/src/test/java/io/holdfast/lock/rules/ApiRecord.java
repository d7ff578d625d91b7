package io.holdfast.lock.rules;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The signatures that users of a module may compile against, as the JDK's javap writes them. */
final class ApiRecord {

    private ApiRecord() {}

    /** Of a folder of classes: public types of exported packages, or of all where there is no descriptor. */
    static List<String> of(Path classes) throws IOException {
        Predicate<String> exported = exported(classes);
        List<String> files;
        try (Stream<Path> all = Files.walk(classes)) {
            files = all.filter(file -> file.toString().endsWith(".class") && !file.endsWith("package-info.class"))
                    .filter(file -> exported.test(
                            classes.relativize(file.getParent()).toString().replace(File.separatorChar, '.')))
                    .map(Path::toString)
                    .sorted()
                    .toList();
        }
        if (files.isEmpty()) {
            return List.of();
        }
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text, true);
        Stream<String> options = Stream.of("-protected", "-constants");
        int status = ToolProvider.findFirst("javap")
                .orElseThrow()
                .run(out, out, Stream.concat(options, files.stream()).toArray(String[]::new));
        if (status != 0) {
            throw new IOException("javap failed: " + text);
        }
        return ofPublicTypes(text.toString().lines().toList());
    }

    private static Predicate<String> exported(Path classes) throws IOException {
        Path descriptor = classes.resolve("module-info.class");
        if (!Files.exists(descriptor)) {
            return name -> true;
        }
        try (var bytes = Files.newInputStream(descriptor)) {
            return ModuleDescriptor.read(bytes).exports().stream()
                    .filter(export -> !export.isQualified())
                    .map(Exports::source)
                    .collect(Collectors.toSet())::contains;
        }
    }

    private static List<String> ofPublicTypes(List<String> lines) {
        List<String> kept = new ArrayList<>();
        boolean isPublic = false;
        for (String line : lines) {
            if (line.startsWith("Compiled from") || line.isBlank() || line.contains("static {}")) {
                continue;
            }
            if (!line.startsWith(" ") && !line.equals("}")) {
                isPublic = line.startsWith("public ");
            }
            if (isPublic) {
                kept.add(line);
            }
        }
        return kept;
    }

    /** What was taken away ({@code -}) and what was added ({@code +}), each with its type. */
    static List<String> changes(List<String> before, List<String> after) {
        Set<String> old = withTypes(before);
        Set<String> fresh = withTypes(after);
        return Stream.concat(
                        old.stream().filter(line -> !fresh.contains(line)).map(line -> "- " + line),
                        fresh.stream().filter(line -> !old.contains(line)).map(line -> "+ " + line))
                .toList();
    }

    private static Set<String> withTypes(List<String> lines) {
        Set<String> found = new LinkedHashSet<>();
        String type = "";
        for (String line : lines) {
            if (line.startsWith("public ")) {
                type = line.replaceFirst(" \\{$", "");
                found.add(type);
            } else if (!line.equals("}")) {
                found.add(type.replaceFirst("^.*?((class|interface) [^ <]+).*$", "$1") + ": " + line.strip());
            }
        }
        return found;
    }
}
