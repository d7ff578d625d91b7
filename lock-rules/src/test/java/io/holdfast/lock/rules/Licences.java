package io.holdfast.lock.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** The licences of jars in a local repository: what their POMs say, or the nearest parent that says it. */
final class Licences {

    private final Path repository;
    private final List<Pattern> allowed;

    /** Allowed is what one of the lines matches, without regard to case. */
    Licences(Path repository, List<String> allowed) {
        this.repository = repository;
        this.allowed = allowed.stream()
                .map(line -> Pattern.compile(line, Pattern.CASE_INSENSITIVE))
                .toList();
    }

    /** The jars of which no licence is allowed, with what their POMs say. Of several licences the user chooses one. */
    List<String> violations(List<Path> jars) throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path jar : jars) {
            List<String> licences = of(jar);
            if (licences.stream().noneMatch(this::isAllowed)) {
                wrong.add(jar.getFileName() + ": " + (licences.isEmpty() ? "no licence" : String.join(", ", licences)));
            }
        }
        return wrong;
    }

    private boolean isAllowed(String licence) {
        return allowed.stream().anyMatch(pattern -> pattern.matcher(licence).matches());
    }

    /** The POM lies beside the jar, and is called like the folders above. */
    private List<String> of(Path jar) throws IOException {
        Path version = jar.getParent();
        Path pom = version.resolve(version.getParent().getFileName() + "-" + version.getFileName() + ".pom");
        while (Files.exists(pom)) {
            Element project = read(pom);
            List<String> named = child(project, "licenses").stream()
                    .flatMap(licences -> children(licences, "license").stream())
                    .flatMap(licence -> child(licence, "name").stream())
                    .map(name -> name.getTextContent().strip().replaceAll("\\s+", " "))
                    .toList();
            Optional<Element> parent = child(project, "parent");
            if (!named.isEmpty() || parent.isEmpty()) {
                return named;
            }
            String artifact = text(parent.get(), "artifactId");
            pom = repository
                    .resolve(text(parent.get(), "groupId").replace('.', '/'))
                    .resolve(artifact)
                    .resolve(text(parent.get(), "version"))
                    .resolve(artifact + "-" + text(parent.get(), "version") + ".pom");
        }
        return List.of();
    }

    private static Element read(Path pom) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(pom.toFile())
                    .getDocumentElement();
        } catch (SAXException | ParserConfigurationException unreadable) {
            throw new IOException(pom.toString(), unreadable);
        }
    }

    private static String text(Element parent, String name) {
        return child(parent, name).orElseThrow().getTextContent().strip();
    }

    private static Optional<Element> child(Element parent, String name) {
        return children(parent, name).stream().findFirst();
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }
}
