package io.holdfast.lock.rules;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.holdfast.lock.LockClient;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The knots of the engine: classes that all depend on each other, directly or by others of the knot. {@code
 * lock-rules/knots} prints them.
 */
final class Knots {

    private static final String ENGINE = "io.holdfast.lock.engine";

    private final Map<String, Set<String>> arrows;

    // What follows is the state of Tarjan's algorithm.

    private final Map<String, Integer> indexes = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> path = new ArrayDeque<>();
    private final List<Set<String>> found = new ArrayList<>();

    private Knots(Map<String, Set<String>> arrows) {
        this.arrows = arrows;
    }

    public static void main(String[] arguments) {
        Map<String, Set<String>> arrows = arrows();
        List<Set<String>> knots = of(arrows);
        System.out.printf(
                "%d classes, %d arrows between them%n",
                arrows.size(), arrows.values().stream().mapToInt(Set::size).sum());
        for (Set<String> knot : knots) {
            System.out.printf("%2d  %s%n", knot.size(), String.join(" ", knot));
        }
    }

    /** The knots of the engine, the largest first. */
    static List<Set<String>> ofTheEngine() {
        return of(arrows());
    }

    /** The knots of a graph of names, the largest first; a name that depends on no knot is in none. */
    static List<Set<String>> of(Map<String, Set<String>> arrows) {
        Knots knots = new Knots(arrows);
        for (String name : arrows.keySet()) {
            if (!knots.indexes.containsKey(name)) {
                knots.visit(name);
            }
        }
        knots.found.removeIf(knot -> knot.size() == 1);
        knots.found.sort(Comparator.comparing((Set<String> knot) -> -knot.size()));
        return knots.found;
    }

    /** Which classes each class of the engine depends on; nested classes count as the one around them. */
    private static Map<String, Set<String>> arrows() {
        JavaClasses classes = new ClassFileImporter()
                .importUrl(
                        LockClient.class.getProtectionDomain().getCodeSource().getLocation());
        Map<String, Set<String>> arrows = new TreeMap<>();
        for (JavaClass type : classes) {
            if (type.getPackageName().startsWith(ENGINE)
                    && !type.getSimpleName().equals("package-info")) {
                Set<String> targets = arrows.computeIfAbsent(name(type), absent -> new TreeSet<>());
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    if (target.getPackageName().startsWith(ENGINE)
                            && !name(target).equals(name(type))) {
                        targets.add(name(target));
                    }
                }
            }
        }
        return arrows;
    }

    private static String name(JavaClass type) {
        String name = type.getName().substring(type.getPackageName().length() + 1);
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private void visit(String name) {
        int index = indexes.size();
        indexes.put(name, index);
        lowest.put(name, index);
        path.push(name);
        for (String target : arrows.getOrDefault(name, Set.of())) {
            if (!indexes.containsKey(target)) {
                visit(target);
                lowest.merge(name, lowest.get(target), Math::min);
            } else if (path.contains(target)) {
                lowest.merge(name, indexes.get(target), Math::min);
            }
        }
        if (lowest.get(name) == index) {
            Set<String> knot = new TreeSet<>();
            String member;
            do {
                member = path.pop();
                knot.add(member);
            } while (!member.equals(name));
            found.add(knot);
        }
    }
}
