package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.Leader;
import io.holdfast.lock.LeaderElection;
import io.holdfast.lock.Leadership;
import io.holdfast.lock.Registration;
import io.holdfast.lock.TermEnd;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * Candidates that campaign, lead, say who they are and resign, while every client observes (rules 61, 62): never do two lead at once,
 * terms increase, what observers are told was said by a leader, and is true again soon after it has changed.
 */
final class ElectionOwners extends SharedOwners {

    private static final long OBSERVED_NANOS = 700 * MILLI;
    private static final long TOLD_NANOS = SECOND;
    private static final long NO_LIMIT_NANOS = 3_600 * SECOND;
    /** A poll, an answer, and what clocks and timers are late. */
    private static final long OBSERVED_AT_WORST_NANOS = 7 * SECOND;

    private static final LuaString TOKEN = Keyspace.TOKEN_FIELD;
    private static final LuaString ID = LuaString.valueOf("id");
    private static final LuaString VALUE = LuaString.valueOf("value");

    /** What can be read of a leader. */
    private record Said(long term, String id, int value) {

        static Said of(Leader leader) {
            return new Said(leader.term(), leader.id(), number(leader.value()));
        }

        private static int number(byte[] value) {
            return Integer.parseInt(new String(value, StandardCharsets.UTF_8));
        }
    }

    /** An election at the server, and what is known of it. */
    private static final class Site {

        final String name;
        final LuaString lock;
        final LuaString record;
        final List<Term> terms = new ArrayList<>();
        final Set<Said> said = new HashSet<>();
        /** The newest value that a leader has said in each term. */
        final Map<Long, Integer> newest = new HashMap<>();

        @Nullable
        Said truth;

        long truthSinceNanos;
        long highestTerm;

        Site(String name) {
            this.name = name;
            this.lock = LuaString.valueOf(Workload.Scene.ELECTIONS.key(name));
            this.record = LuaString.valueOf(lock + ":leader");
        }
    }

    /** A leadership that a candidate was told of. */
    private static final class Term {

        final SimulatedClient client;
        final Leadership leadership;
        final long number;
        final long limitNanos;
        final long sinceNanos;
        boolean resigned;

        @Nullable
        TermEnd told;

        long overSinceNanos = -1;
        long goneSinceNanos = -1;

        Term(SimulatedClient client, Leadership leadership, long limitNanos) {
            this.client = client;
            this.leadership = leadership;
            this.number = leadership.state() == HoldState.LOST ? 0 : leadership.term();
            this.limitNanos = limitNanos;
            this.sinceNanos = client.world.nanos();
        }

        boolean isValid() {
            return SharedOwners.isValid(leadership.state())
                    && !leadership.validFor().isZero();
        }

        @Override
        public String toString() {
            return client.name + ": " + leadership;
        }
    }

    /** One observer. */
    private final class Watcher {

        final SimulatedClient client;
        final Site site;
        final long sinceNanos = world.nanos();
        final Registration registration;

        @Nullable
        Said told;

        boolean wasTold;
        long highestTerm;
        int highestValue;

        Watcher(SimulatedClient client, Site site) {
            this.client = client;
            this.site = site;
            this.registration = client.api().getElection(site.name).observe(this::hears);
        }

        private void hears(Optional<Leader> leader) {
            wasTold = true;
            told = leader.map(Said::of).orElse(null);
            Said now = told;
            if (world.isTraced()) {
                world.note(client.name, "observes of " + site.name + ": " + now);
            }
            if (now == null) {
                return;
            }
            if (!site.said.contains(now)) {
                world.fail("ERR", client.name + ": observes " + now + ", which no leader has said");
            }
            boolean earlier = now.term < highestTerm || (now.term == highestTerm && now.value < highestValue);
            if (earlier) {
                world.fail(
                        "FM", client.name + ": observes " + now + " after term " + highestTerm + ", " + highestValue);
            }
            highestTerm = now.term;
            highestValue = now.value;
        }

        void look(long calmFromNanos) {
            if (!client.isInUse() || !client.isRunning()) {
                return;
            }
            Said now = told;
            boolean isTrue = wasTold && (now == null ? site.truth == null : now.equals(site.truth));
            long since = Math.max(Math.max(site.truthSinceNanos, sinceNanos), calmFromNanos);
            since = Math.max(since, client.wokenNanos());
            long passed = world.nanos() - since;
            if (!isTrue && passed > (calm ? OBSERVED_NANOS : OBSERVED_AT_WORST_NANOS)) {
                world.fail(
                        "NLW",
                        client.name + ": believes " + now + " to lead " + site.name + ", which has been " + site.truth
                                + " for " + passed / MILLI + " ms");
            }
        }
    }

    private final List<Site> sites;
    private final List<Watcher> watchers = new ArrayList<>();
    private final boolean forceful;
    private final long leaseNanos;
    private int candidates;

    ElectionOwners(Ground ground, Climate climate, ClientOptions options) {
        super(ground);
        this.sites = names.stream().map(Site::new).toList();
        this.forceful = climate.forceful();
        this.leaseNanos = options.lockOptions().watchdogLease().toNanos();
        clients.forEach(this::joined);
    }

    @Override
    void joined(SimulatedClient client) {
        for (Site site : sites) {
            world.after(chance.below(500 * MILLI), client, () -> {
                if (client.isInUse()) {
                    watchers.add(new Watcher(client, site));
                }
            });
        }
    }

    // --- what they do ---

    @Override
    void next() {
        SimulatedClient client = anyClient();
        int election = chance.below(sites.size());
        Site site = sites.get(election);
        if (forceful && chance.onceIn(30)) {
            world.after(0, client, () -> {
                if (client.isInUse()) {
                    client.api().getFairLock(site.name).forceUnlockAsync();
                }
            });
            return;
        }
        Duration wait = patience();
        long limitNanos = chance.onceIn(4) ? leaseNanos + chance.below(2 * SECOND) : NO_LIMIT_NANOS;
        long cancelNanos = cancelNanos();
        world.after(0, client, () -> {
            if (client.isInUse()) {
                campaign(client, election, wait, limitNanos, cancelNanos);
            }
        });
    }

    private void campaign(SimulatedClient client, int election, Duration wait, long limitNanos, long cancelNanos) {
        LeaderElection plain = client.api().getElection(sites.get(election).name);
        LeaderElection of = limitNanos == NO_LIMIT_NANOS ? plain : plain.withTermLimit(Duration.ofNanos(limitNanos));
        String id = "candidate-" + ++candidates;
        Asking asking = new Asking(client, election, "election " + election + " as " + id, wait);
        CompletableFuture<?> call = wait.equals(FOR_EVER)
                ? made(asking, of.campaignAsync(id, value(1)), won -> leads(asking, won, limitNanos))
                : made(
                        asking,
                        of.campaignAsync(id, value(1), wait),
                        won -> won.ifPresent(leadership -> leads(asking, leadership, limitNanos)));
        cancelAfter(cancelNanos, client, call);
    }

    private static byte[] value(int number) {
        return Integer.toString(number).getBytes(StandardCharsets.UTF_8);
    }

    private void leads(Asking asking, Leadership leadership, long limitNanos) {
        wasGranted();
        Site site = sites.get(asking.object);
        Term term = new Term(asking.client, leadership, limitNanos);
        site.terms.add(term);
        leadership.onLost(loss -> wasLost(asking, true, loss.reason()));
        leadership.ended().thenAccept(how -> term.told = how);
        if (leadership.state() == HoldState.HELD) {
            boolean inOrder = isDoubted(leadership.owner()) || term.number > site.highestTerm;
            if (!isForgetful() && !inOrder) {
                world.fail("FM", asking + ": has term " + term.number + ", after " + site.highestTerm);
            }
            if (!site.said.contains(new Said(term.number, leadership.id(), 1))) {
                world.fail("ERR", asking + ": leads, and is not proclaimed: " + leadership);
            }
            site.highestTerm = Math.max(site.highestTerm, term.number);
        }
        sayMore(term, 2, chance.below(3));
        boolean toItsLimit = limitNanos != NO_LIMIT_NANOS && chance.onceIn(2) && !isReturning();
        world.after(toItsLimit ? limitNanos + SECOND : keepsNanos(), asking.client, () -> resign(term));
    }

    /** Sets other values, each a while after the one before or at once. */
    private void sayMore(Term term, int number, int times) {
        if (times > 0) {
            world.after(chance.onceIn(2) ? 0 : chance.below(40 * MILLI), term.client, () -> {
                if (term.isValid()) {
                    term.leadership.setValueAsync(value(number));
                    sayMore(term, number + 1, times - 1);
                }
            });
        }
    }

    private void resign(Term term) {
        term.resigned = true;
        term.leadership.resignAsync();
    }

    @Override
    void giveBack() {
        super.giveBack();
        sites.forEach(site -> site.terms.forEach(term -> world.after(0, term.client, () -> resign(term))));
    }

    // --- what the server does ---

    @Override
    void ran(Request request, Keyspace data) {
        for (Site site : sites) {
            if (request.isCallOf("proclaim") && request.key(1).equals(site.lock)) {
                proclaimed(site, request, data);
            }
            lookForTruth(site, data);
        }
    }

    private void proclaimed(Site site, Request request, Keyspace data) {
        LuaString token = data.hget(site.lock, TOKEN);
        if (token == null || !data.hexists(site.lock, request.argument(1))) {
            return;
        }
        int value = Integer.parseInt(request.argument(3).tojstring());
        site.said.add(new Said(token.tolong(), request.argument(2).tojstring(), value));
        int newest = site.newest.merge(token.tolong(), value, Math::max);
        Said counts = read(site, data);
        if (counts == null || counts.value != newest) {
            world.fail("HC", site.record + ": is " + counts + " after " + newest + " was said in term " + token);
        }
    }

    /** The record, if it counts; null if it does not. */
    private static @Nullable Said read(Site site, Keyspace data) {
        LuaString token = data.hget(site.lock, TOKEN);
        LuaString recorded = data.hget(site.record, TOKEN);
        LuaString id = data.hget(site.record, ID);
        LuaString value = data.hget(site.record, VALUE);
        if (token == null || recorded == null || id == null || value == null || !token.equals(recorded)) {
            return null;
        }
        return new Said(token.tolong(), id.tojstring(), Integer.parseInt(value.tojstring()));
    }

    private void lookForTruth(Site site, Keyspace data) {
        Said now = read(site, data);
        Said before = site.truth;
        if (now == null ? before != null : !now.equals(before)) {
            site.truth = now;
            site.truthSinceNanos = world.nanos();
        }
    }

    // --- what must hold ---

    @Override
    void exclude() {
        for (Site site : sites) {
            Term first = null;
            for (Term term : site.terms) {
                if (term.client.isRunning() && !isDoubted(term.leadership.owner()) && term.isValid()) {
                    if (first != null) {
                        world.fail("ME", site.name + " is led by " + first + " and by " + term);
                    }
                    first = term;
                }
            }
        }
    }

    @Override
    void look(long calmFromNanos) {
        super.look(calmFromNanos);
        for (Site site : sites) {
            lookForTruth(site, data());
            LuaString token = data().hget(site.lock, TOKEN);
            long serverTerm = token == null ? 0 : token.tolong();
            site.terms.forEach(term -> look(term, serverTerm, calmFromNanos));
            site.terms.removeIf(term ->
                    term.client.isCrashed() || term.client.isClosed() || (term.told != null && !term.isValid()));
        }
        watchers.forEach(watcher -> watcher.look(calmFromNanos));
    }

    private void look(Term term, long serverTerm, long calmFromNanos) {
        long now = world.nanos();
        SimulatedClient client = term.client;
        if (!client.isInUse() || !client.isRunning()) {
            term.overSinceNanos = -1;
            return;
        }
        if (!term.isValid()) {
            term.overSinceNanos = term.overSinceNanos < 0 ? now : term.overSinceNanos;
            if (term.told == null && now - Math.max(term.overSinceNanos, client.wokenNanos()) > TOLD_NANOS) {
                world.fail("ERR", term + ": is over, and its leader has not heard of it");
            }
            return;
        }
        if (now - term.sinceNanos > term.limitNanos / 100 * 101 + 50 * MILLI) {
            world.fail("LV", term + ": goes on beyond its limit of " + term.limitNanos / MILLI + " ms");
        }
        if (serverTerm == term.number) {
            term.goneSinceNanos = -1;
            return;
        }
        term.goneSinceNanos = term.goneSinceNanos < 0 ? now : term.goneSinceNanos;
        boolean wellAllTheWhile = calmFromNanos < term.goneSinceNanos && client.wokenNanos() < term.goneSinceNanos;
        // A renewal asks after a third of the lease.
        long bound = wellAllTheWhile ? leaseNanos / 2 + OBSERVED_NANOS : leaseNanos / 100 * 102;
        if (now - term.goneSinceNanos > bound) {
            world.fail("ERR", term + ": the server has not known it for " + bound / MILLI + " ms");
        }
    }

    @Override
    boolean isFree(Asking asking) {
        return !data().exists(sites.get(asking.object).lock);
    }

    @Override
    boolean isHeardOf(Asking asking) {
        return false;
    }

    @Override
    void allEnded() {
        super.allEnded();
        watchers.forEach(watcher -> world.after(0, watcher.client, watcher.registration::close));
    }
}
