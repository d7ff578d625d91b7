package io.holdfast.lock.tests.models;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Lists as values: changed copies. */
final class Lists {
    private Lists() {}

    static <T> List<T> replaced(List<T> list, int at, T changed) {
        List<T> copy = new ArrayList<>(list);
        copy.set(at, changed);
        return Collections.unmodifiableList(copy);
    }

    static <T> List<T> appended(List<T> list, T last) {
        List<T> copy = new ArrayList<>(list);
        copy.add(last);
        return Collections.unmodifiableList(copy);
    }

    static <T> List<T> without(List<T> list, int at) {
        List<T> copy = new ArrayList<>(list);
        copy.remove(at);
        return Collections.unmodifiableList(copy);
    }

    static <T> List<T> withoutFirst(List<T> list) {
        return List.copyOf(list.subList(1, list.size()));
    }
}
