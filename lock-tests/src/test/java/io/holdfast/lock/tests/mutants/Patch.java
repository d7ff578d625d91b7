package io.holdfast.lock.tests.mutants;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A unified diff, applied strictly: every line of context must be there. A tool that looks away from a changed line or
 * two would, one day, break something else than what the mutant says.
 *
 * @param files the changes of each file, by its path from the root of the project
 */
record Patch(Map<String, List<Hunk>> files) {
    private static final Pattern HUNK = Pattern.compile("@@ -(\\d+)(?:,(\\d+))? \\+\\d+(?:,(\\d+))? @@.*");
    private static final String OLD = "--- ";
    private static final String NEW = "+++ ";

    static Patch parse(List<String> lines) throws PatchRefused {
        Map<String, List<Hunk>> files = new LinkedHashMap<>();
        List<Hunk> hunks = null;
        int at = 0;
        while (at < lines.size()) {
            String line = lines.get(at);
            Matcher hunk = HUNK.matcher(line);
            if (line.startsWith(OLD)) {
                hunks = new ArrayList<>();
                files.put(path(lines, at), hunks);
                at += 2;
            } else if (hunk.matches() && hunks != null) {
                int end = at + 1;
                while (end < lines.size() && isBody(lines, end)) {
                    end++;
                }
                hunks.add(hunk(hunk, lines.subList(at + 1, end)));
                at = end;
            } else if (line.startsWith("diff ") || line.startsWith("index ")) {
                at++;
            } else {
                throw new PatchRefused("line " + (at + 1) + " of the diff: " + line + " (expected: a file or a hunk)");
            }
        }
        return new Patch(files);
    }

    private static String path(List<String> lines, int at) throws PatchRefused {
        String path = lines.get(at).substring(OLD.length());
        String after = at + 1 < lines.size() ? lines.get(at + 1) : "";
        if (!after.equals(NEW + path)) {
            throw new PatchRefused("line " + (at + 2) + " of the diff: " + after + " (expected: " + NEW + path
                    + ", files stay where they are)");
        }
        return path;
    }

    private static boolean isBody(List<String> lines, int at) {
        String line = lines.get(at);
        boolean nextFile = line.startsWith(OLD)
                && at + 1 < lines.size()
                && lines.get(at + 1).startsWith(NEW);
        return !nextFile && (line.startsWith(" ") || line.startsWith("-") || line.startsWith("+"));
    }

    private static Hunk hunk(Matcher head, List<String> body) throws PatchRefused {
        List<String> before = new ArrayList<>();
        List<String> after = new ArrayList<>();
        for (String line : body) {
            String text = line.substring(1);
            if (line.charAt(0) != '+') {
                before.add(text);
            }
            if (line.charAt(0) != '-') {
                after.add(text);
            }
        }
        check(head, "-", head.group(2), before.size());
        check(head, "+", head.group(3), after.size());
        if (before.isEmpty()) {
            throw new PatchRefused(
                    head.group() + ": no lines around the change (expected: some, to find its place by)");
        }
        return new Hunk(Integer.parseInt(head.group(1)), before, after);
    }

    private static void check(Matcher head, String side, String stated, int found) throws PatchRefused {
        int expected = stated == null ? 1 : Integer.parseInt(stated);
        if (expected != found) {
            throw new PatchRefused(
                    head.group() + ": " + found + " lines on the side of " + side + " (expected: " + expected + ")");
        }
    }

    /** What becomes of one of the files. */
    String applyTo(String path, String text) throws PatchRefused {
        List<String> lines = new ArrayList<>(text.lines().toList());
        int moved = 0;
        int earliest = 0;
        for (Hunk hunk : files.getOrDefault(path, List.of())) {
            try {
                int place = hunk.apply(lines, moved);
                if (place < earliest) {
                    throw new PatchRefused(
                            "the lines at " + hunk.line() + " are found before those of the hunk before it");
                }
                earliest = place + hunk.after().size();
                moved = place
                        - (hunk.line() - 1)
                        + hunk.after().size()
                        - hunk.before().size();
            } catch (PatchRefused refused) {
                throw new PatchRefused(path + ": " + refused.getMessage());
            }
        }
        return String.join("\n", lines) + "\n";
    }
}
