package io.holdfast.cli;

import io.holdfast.lock.text.NearestName;
import io.holdfast.lock.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of client options in {@code ~/.config/holdfast}, by name. */
final class Profiles {

    private static final String ENDING = ".properties";
    private static final Pattern NAME = Pattern.compile("[\\w.-]{1,64}");

    private final Path folder;

    Profiles(Path folder) {
        this.folder = folder;
    }

    static Profiles ofUser() {
        String configuration = System.getenv("XDG_CONFIG_HOME");
        Path folder = configuration == null || configuration.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".config")
                : Path.of(configuration);
        return new Profiles(folder.resolve("holdfast"));
    }

    /**
     * The file of a profile.
     *
     * @throws IllegalArgumentException if there is none, with the nearest name
     */
    Path file(String name) {
        Path file = folder.resolve((NAME.matcher(name).matches() ? name : "-") + ENDING);
        if (Files.isRegularFile(file)) {
            return file;
        }
        throw new IllegalArgumentException("profile: '" + Printable.of(name) + "' is not in " + Printable.of(folder)
                + " (" + NearestName.hint(name, names(), there()) + ")");
    }

    private String there() {
        return names().isEmpty() ? "there are none" : "there are: " + String.join(", ", names());
    }

    private List<String> names() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(ENDING))
                    .map(name -> Printable.of(name.substring(0, name.length() - ENDING.length())))
                    .sorted()
                    .toList();
        } catch (IOException none) {
            return List.of();
        }
    }
}
