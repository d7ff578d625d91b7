package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Vouching;
import io.holdfast.lock.tests.simulation.SimulatedGroup.Word;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one client hears of the Sentinels, early or late, and where it connects to for that. It vouches as the SPI says,
 * by a majority of all; where it connects to, it may take from a single one.
 */
final class SimulatedVouching implements Vouching {

    private static final long MILLI = 1_000_000;

    private final World world;
    private final SimulatedClient client;
    private final SimulatedBackend backend;
    private final SimulatedGroup group;
    private final long silenceNanos;
    private final Chance chance;

    /** The last answer of each Sentinel, and when it was asked for, by the client's clock. */
    private final @Nullable Word[] words = new Word[SimulatedGroup.SENTINELS];

    private final long[] askedNanos = new long[SimulatedGroup.SENTINELS];
    private final long[] deafUntilNanos = new long[SimulatedGroup.SENTINELS];
    private final List<Runnable> listeners = new ArrayList<>();
    private long connectedEpoch;
    private long toldEpoch = NO_EPOCH;
    private boolean well;

    SimulatedVouching(
            World world, SimulatedClient client, SimulatedBackend backend, SimulatedGroup group, long silenceNanos) {
        this.world = world;
        this.client = client;
        this.backend = backend;
        this.group = group;
        this.silenceNanos = silenceNanos;
        this.chance = new Chance(client.network.below(Long.MAX_VALUE), 7);
        for (int i = 0; i < words.length; i++) {
            int sentinel = i;
            world.after(chance.below(400 * MILLI), client, () -> ask(sentinel));
        }
    }

    // --- questions and answers ---

    private void ask(int sentinel) {
        long asked = client.nanos();
        long outward = latency();
        long back = latency();
        if (well || world.nanos() >= deafUntilNanos[sentinel]) {
            world.after(outward, () -> {
                Word word = group.word(sentinel);
                if (well || world.nanos() >= deafUntilNanos[sentinel]) {
                    world.after(back, client, () -> hear(sentinel, asked, word));
                }
            });
        }
        if (!well && chance.onceIn(25)) {
            deafUntilNanos[sentinel] = world.nanos() + chance.below(9_000 * MILLI);
        }
        world.after(chance.between(100 * MILLI, 500 * MILLI), client, () -> ask(sentinel));
        tellIfChanged();
    }

    private long latency() {
        return !well && chance.onceIn(12) ? chance.below(1_500 * MILLI) : chance.below(3 * MILLI);
    }

    private void hear(int sentinel, long asked, Word word) {
        if (words[sentinel] == null || asked - askedNanos[sentinel] > 0) {
            words[sentinel] = word;
            askedNanos[sentinel] = asked;
        }
        if (word.epoch() > connectedEpoch && (well || chance.onceIn(isAgreed(word) ? 2 : 6))) {
            connectedEpoch = word.epoch();
            world.note(client.name, "goes to " + word.server().name + ", epoch " + word.epoch());
            backend.moveTo(word.server());
        }
        tellIfChanged();
    }

    private boolean isAgreed(Word word) {
        return Arrays.stream(words).filter(word::equals).count() >= SimulatedGroup.MAJORITY;
    }

    private void tellIfChanged() {
        long now = epoch();
        if (now != toldEpoch) {
            toldEpoch = now;
            world.note(client.name, now == NO_EPOCH ? "has no majority" : "has a majority for epoch " + now);
            listeners.forEach(Runnable::run);
        }
    }

    boolean isOf(SimulatedClient other) {
        return client == other;
    }

    /** No Sentinel is heard for so long. */
    void deafen(long nanos) {
        Arrays.fill(deafUntilNanos, world.nanos() + nanos);
    }

    /** Everything is put right again. */
    void heal() {
        well = true;
    }

    // --- what counts ---

    @Override
    public long epoch() {
        for (Word word : words) {
            if (word != null && untilNanos(word) - client.nanos() > 0) {
                return word.epoch();
            }
        }
        return NO_EPOCH;
    }

    @Override
    public long untilNanos(long epoch) {
        for (Word word : words) {
            if (word != null && word.epoch() == epoch) {
                return untilNanos(word);
            }
        }
        return client.nanos();
    }

    /** Until when the answers that say the same are young enough, as many as make a majority of all. */
    private long untilNanos(Word word) {
        SimulatedServer server = backend.commands.server;
        long now = client.nanos();
        List<Long> agesNanos = new ArrayList<>();
        for (int i = 0; i < words.length; i++) {
            if (word.equals(words[i])
                    && server == Objects.requireNonNull(words[i]).server()) {
                agesNanos.add(now - askedNanos[i]);
            }
        }
        if (agesNanos.size() < SimulatedGroup.MAJORITY) {
            return now;
        }
        agesNanos.sort(null);
        return now - agesNanos.get(SimulatedGroup.MAJORITY - 1) + silenceNanos;
    }

    @Override
    public void listen(Runnable task) {
        world.after(0, client, () -> {
            listeners.add(task);
            task.run();
        });
    }
}
