package io.holdfast.lock.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A rule about the text of the project's files. */
enum TidyRule {
    NO_UNFINISHED_MARKS {
        @Override
        List<String> violations(List<Source> sources) {
            return matches(sources, source -> true, "\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
        }
    },
    NO_TABS {
        @Override
        List<String> violations(List<Source> sources) {
            return matches(sources, source -> true, "\t");
        }
    },
    NO_MACHINE_PATHS {
        @Override
        List<String> violations(List<Source> sources) {
            return matches(sources, source -> true, "(?<![\\w.])/(home|root|Users)/\\w|[A-Z]:\\\\Users");
        }
    },
    NO_EMPTY_CATCH {
        @Override
        List<String> violations(List<Source> sources) {
            return matches(sources, Source::isJava, "catch\\s*\\([^)]*\\)\\s*\\{\\s*\\}");
        }
    },
    NO_TEST_SWITCHED_OFF {
        @Override
        List<String> violations(List<Source> sources) {
            return matches(sources, Source::isJava, "@Dis" + "abled\\b");
        }
    },
    TESTS_ARE_NAMED_ALIKE {
        @Override
        List<String> violations(List<Source> sources) {
            return matches(sources, source -> source.isJava() && source.isTest(), UNLIKE_NAME);
        }
    },
    TEST_CLASSES_ARE_TOLD_APART {
        @Override
        List<String> violations(List<Source> sources) {
            Map<String, List<String>> paths = sources.stream()
                    .filter(source -> source.isTest() && source.path().endsWith("Test.java"))
                    .map(Source::path)
                    .collect(Collectors.groupingBy(
                            path -> path.substring(path.lastIndexOf('/') + 1), TreeMap::new, Collectors.toList()));
            return paths.values().stream()
                    .filter(alike -> alike.size() > 1)
                    .map(alike -> String.join(", ", alike) + ": the same name")
                    .toList();
        }
    },
    NO_INLINE_LUA {
        @Override
        List<String> violations(List<Source> sources) {
            return matches(sources, source -> source.isJava() && source.isPublished(), "redis\\.p?call");
        }
    },
    SMALL_FILES {
        @Override
        List<String> violations(List<Source> sources) {
            return sources.stream()
                    .filter(source -> source.isJava() && source.isPublished())
                    .filter(source -> source.lines().size() > LINE_LIMIT)
                    .map(source ->
                            source.path() + ": " + source.lines().size() + " lines (expected: <= " + LINE_LIMIT + ")")
                    .toList();
        }
    },
    PACKAGES_ARE_DESCRIBED {
        @Override
        List<String> violations(List<Source> sources) {
            Set<String> described = sources.stream()
                    .filter(source -> source.path().endsWith("/package-info.java"))
                    .map(TidyRule::packageInModule)
                    .collect(Collectors.toSet());
            Set<String> packages = sources.stream()
                    .filter(source -> source.isJava() && !source.path().endsWith("/module-info.java"))
                    .map(TidyRule::packageInModule)
                    .collect(Collectors.toCollection(TreeSet::new));
            packages.removeAll(described);
            return packages.stream()
                    .map(name -> name + ": no package-info.java")
                    .toList();
        }
    },
    SCRIPTS_OPEN_WITH_THEIR_CONTRACT {
        @Override
        List<String> violations(List<Source> sources) {
            return sources.stream()
                    .filter(source -> source.path().endsWith(".lua"))
                    .filter(source -> !opensWithContract(source))
                    .map(source -> source.path() + ": the opening comment must name KEYS, ARGV and the reply")
                    .toList();
        }
    },
    README_IS_SHORT {
        @Override
        List<String> violations(List<Source> sources) {
            return sources.stream()
                    .filter(source -> source.path().equals("README.md"))
                    .filter(source -> source.words() > README_WORD_LIMIT)
                    .map(source ->
                            source.path() + ": " + source.words() + " words (expected: <= " + README_WORD_LIMIT + ")")
                    .toList();
        }
    };

    static final int LINE_LIMIT = 500;
    static final int NAME_LIMIT = 60;

    /** A method whose name has an underscore or is too long, at the beginning of its declaration. */
    private static final String UNLIKE_NAME =
            "(?m)^    (?:(?:static|public|private|final) )*\\w[\\w<>\\[\\]]* (?:[a-z]\\w*_\\w*|[a-z]\\w{" + NAME_LIMIT
                    + ",})\\(";

    static final int README_WORD_LIMIT = 1_300;

    /** What breaks the rule, as {@code path: reason}. */
    abstract List<String> violations(List<Source> sources);

    private static List<String> matches(List<Source> sources, Predicate<Source> where, String regex) {
        Pattern pattern = Pattern.compile(regex);
        List<String> found = new ArrayList<>();
        for (Source source : sources) {
            Matcher matcher = pattern.matcher(where.test(source) ? source.text() : "");
            while (matcher.find()) {
                long line = source.text().substring(0, matcher.start()).lines().count() + 1;
                found.add(source.path() + ": about line " + line + ": " + matcher.group());
            }
        }
        return found;
    }

    /** The package of a file; all source directories of a module share it. */
    private static String packageInModule(Source source) {
        return source.directory().replaceFirst("/src/\\w+/java", "");
    }

    private static boolean opensWithContract(Source source) {
        String opening =
                source.text().lines().takeWhile(line -> line.startsWith("--")).collect(Collectors.joining("\n"));
        return opening.contains("KEYS")
                && opening.contains("ARGV")
                && opening.toLowerCase(Locale.ROOT).contains("reply");
    }
}
