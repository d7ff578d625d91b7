package io.holdfast.lock.examples.stock;

import java.util.List;

/**
 * One run: one kind of shop, and everything that a buyer has to know. Travels to the buyers' processes as one line.
 *
 * @param kind how the shop is locked
 * @param name what the run's keys begin with
 * @param items the stock at the beginning
 * @param leaseMillis how long a buyer may stay in the shop
 * @param thinkMicros how long a buyer thinks on average between reading and writing the stock
 * @param limitMillis when buyers go home in any case
 * @param freezes how often a buyer in the shop is frozen
 * @param freezeMillis for how long
 */
record Run(
        ShopKind kind,
        String name,
        int items,
        long leaseMillis,
        long thinkMicros,
        long limitMillis,
        int freezes,
        long freezeMillis) {

    /** Whether whoever first finds this much stock is to be frozen: at evenly spaced points of the sale. */
    boolean isFreezePoint(int stock) {
        for (int freeze = 1; freeze <= freezes; freeze++) {
            if (stock == (long) items * freeze / (freezes + 1)) {
                return true;
            }
        }
        return false;
    }

    String toLine() {
        return String.join(
                " ",
                kind.name(),
                name,
                String.valueOf(items),
                String.valueOf(leaseMillis),
                String.valueOf(thinkMicros),
                String.valueOf(limitMillis),
                String.valueOf(freezes),
                String.valueOf(freezeMillis));
    }

    static Run ofLine(String line) {
        List<String> words = List.of(line.split(" "));
        if (words.size() != 8) {
            throw new IllegalArgumentException("run: '" + line + "' (expected: 8 words)");
        }
        return new Run(
                ShopKind.valueOf(words.get(0)),
                words.get(1),
                Integer.parseInt(words.get(2)),
                Long.parseLong(words.get(3)),
                Long.parseLong(words.get(4)),
                Long.parseLong(words.get(5)),
                Integer.parseInt(words.get(6)),
                Long.parseLong(words.get(7)));
    }
}
