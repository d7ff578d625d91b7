package io.holdfast.lock.tests.figures;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The jars that a program needs which has {@code lock-netty-client} as its only dependency, found as Maven finds them:
 * from the module's own pom, and from the poms that the jars carry within them, leaving out what is optional and what
 * is for tests. Our own modules are packed into jars here, because a build that only runs tests makes none.
 *
 * <p>A jar's pom may leave a scope to a parent, which the jar does not carry. Whatever Maven would resolve at run time
 * is on the class path of these tests too, since they depend on the client; so what is not there was for tests.
 */
public final class RuntimeClassPath {

    private static final String OURS = "io.holdfast";
    private static final String CLIENT = "lock-netty-client";

    private final Path modules;
    private final Path scratch;
    private final Map<String, Path> jars = new LinkedHashMap<>();

    private RuntimeClassPath(Path modules, Path scratch) {
        this.modules = modules;
        this.scratch = scratch;
    }

    /**
     * Finds the jars.
     *
     * @param modules the directory of this project's modules
     * @param scratch where our own jars may be written
     */
    public static List<Path> find(Path modules, Path scratch) {
        return find(modules, scratch, List.of());
    }

    /** The same for a program that has more dependencies than the one. */
    public static List<Path> find(Path modules, Path scratch, List<String> more) {
        RuntimeClassPath found = new RuntimeClassPath(modules, scratch);
        found.walk(more);
        return List.copyOf(found.jars.values());
    }

    private void walk(List<String> more) {
        Deque<String> open = new ArrayDeque<>(List.of(CLIENT));
        open.addAll(more);
        while (!open.isEmpty()) {
            String artifact = open.remove();
            if (jars.containsKey(artifact)) {
                continue;
            }
            if (Files.exists(modules.resolve(artifact).resolve("pom.xml"))) {
                jars.put(artifact, pack(artifact));
                open.addAll(needed(ourPom(artifact)));
            } else {
                onClassPath(artifact).ifPresent(jar -> {
                    jars.put(artifact, jar);
                    open.addAll(needed(jar, artifact));
                });
            }
        }
    }

    private Document ourPom(String module) {
        try (InputStream in = Files.newInputStream(modules.resolve(module).resolve("pom.xml"))) {
            return parse(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** What a jar's own pom wants; jars that were not built by Maven carry none, and want nothing here. */
    private static List<String> needed(Path jar, String artifact) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            ZipEntry pom = zip.stream()
                    .filter(entry -> entry.getName().matches("META-INF/maven/[^/]+/" + artifact + "/pom.xml"))
                    .findFirst()
                    .orElse(null);
            if (pom == null) {
                if (!artifact.equals("jspecify")) {
                    throw new IllegalStateException(jar + " carries no pom, so what it needs is not known");
                }
                return List.of();
            }
            return needed(parse(zip.getInputStream(pom)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<String> needed(Document pom) {
        List<String> artifacts = new ArrayList<>();
        for (Element dependencies : children(pom.getDocumentElement(), "dependencies")) {
            for (Element dependency : children(dependencies, "dependency")) {
                String scope = text(dependency, "scope");
                boolean atRunTime = scope.isEmpty() || scope.equals("compile") || scope.equals("runtime");
                if (atRunTime && !text(dependency, "optional").equals("true")) {
                    artifacts.add(text(dependency, "artifactId"));
                }
            }
        }
        return artifacts;
    }

    private static Optional<Path> onClassPath(String artifact) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> path.getFileName().toString().matches(artifact + "-\\d[^-]*(-SNAPSHOT)?\\.jar"))
                .findFirst();
    }

    /** Packs a module's classes as its jar has them. */
    private Path pack(String module) {
        Path classes = modules.resolve(module).resolve("target").resolve("classes");
        Path jar = scratch.resolve(OURS + "." + module + ".jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String name = classes.relativize(file).toString().replace(File.separatorChar, '/');
                zip.putNextEntry(new ZipEntry(name));
                Files.copy(file, zip);
                zip.closeEntry();
            }
            return jar;
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    private static Document parse(InputStream xml) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(xml);
        } catch (ParserConfigurationException | SAXException malformed) {
            throw new IOException("a pom that cannot be read", malformed);
        }
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        NodeList nodes = parent.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            Node node = nodes.item(i);
            if (node instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    private static String text(Element parent, String name) {
        List<Element> found = children(parent, name);
        return found.isEmpty() ? "" : found.get(0).getTextContent().strip();
    }
}
