package io.holdfast.lock.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A file of host names, in place of the system's, for a JVM that a test starts: names lead to where the test says, and
 * elsewhere when the test changes its mind.
 *
 * <pre>{@code
 * HostsFile hosts = HostsFile.at(folder.resolve("hosts"));
 * hosts.lead("db.test", "127.0.0.1");
 * new ProcessBuilder("java", hosts.option(), ...).start();
 * hosts.lead("db.test", "127.0.0.2");
 * }</pre>
 *
 * <p>The JVM reads the file at each look-up, and remembers an answer for 30 s by the name as it was spelled. It takes notice
 * of upper and lower case in the file, where name servers don't. So the file has each name in all its spellings: a client
 * that looks past the JVM's memory, by a spelling that is new to it, finds it.
 */
public final class HostsFile {
    private static final int MOST_LETTERS = 10;

    private final Path file;
    private final Map<String, List<String>> addresses = new TreeMap<>();

    private HostsFile(Path file) {
        this.file = file;
    }

    /** A file without names yet; a file that is there already is replaced. */
    public static HostsFile at(Path file) {
        HostsFile hosts = new HostsFile(file.toAbsolutePath());
        hosts.write();
        return hosts;
    }

    /** The option that has a JVM use this file; it sees no other names then, {@code localhost} included. */
    public String option() {
        return "-Djdk.net.hosts.file=" + file;
    }

    /**
     * Has a name lead to these addresses, and to no others, from now on.
     *
     * @param name with 10 letters at most, since each letter doubles the spellings
     * @param addresses IP addresses, in the order in which a look-up gives them; none, and the name is unknown
     */
    public synchronized void lead(String name, String... addresses) {
        long letters = name.chars().filter(HostsFile::isLetter).count();
        if (letters > MOST_LETTERS || !name.matches("[A-Za-z0-9.-]+")) {
            throw new IllegalArgumentException(
                    "name: " + name + " (expected: digits, . and -, and " + MOST_LETTERS + " letters at most)");
        }
        this.addresses.put(name, List.of(addresses));
        write();
    }

    /** In one go: a JVM that reads meanwhile sees all of the earlier file, or all of this one. */
    private void write() {
        String lines = addresses.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream()
                        .map(address -> address + " " + String.join(" ", spellings(entry.getKey())) + "\n"))
                .collect(Collectors.joining());
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            Files.writeString(next, lines);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("can't write " + file, e);
        }
    }

    static List<String> spellings(String name) {
        List<String> spellings = List.of("");
        for (int i = 0; i < name.length(); i++) {
            int at = i;
            spellings = spellings.stream()
                    .flatMap(begin -> cases(name.charAt(at)).map(begin::concat))
                    .toList();
        }
        return spellings;
    }

    private static Stream<String> cases(char c) {
        String text = String.valueOf(c);
        return isLetter(c) ? Stream.of(text.toLowerCase(Locale.ROOT), text.toUpperCase(Locale.ROOT)) : Stream.of(text);
    }

    private static boolean isLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    @Override
    public String toString() {
        return file + " " + addresses;
    }
}
