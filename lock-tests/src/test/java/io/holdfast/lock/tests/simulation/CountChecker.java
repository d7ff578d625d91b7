package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.HoldState;
import java.util.List;
import org.luaj.vm2.LuaString;

/** HC: what servers count is what owners hold, and what nobody holds is nowhere. */
final class CountChecker {

    /** What is found without an owner may be on its way out; looks are {@link WakeUpChecker#PERIOD_NANOS} apart. */
    private static final int MOST_LOOKS = 10;

    private final Complaints complaints;

    CountChecker(Complaints complaints) {
        this.complaints = complaints;
    }

    /** Compares servers and clients when all is quiet. */
    void compare(
            List<SimulatedClient> clients,
            List<SimulatedServer> servers,
            Referee referee,
            Ledger ledger,
            List<String> keys,
            boolean quorum) {
        for (int lock = 0; lock < keys.size(); lock++) {
            LuaString key = LuaString.valueOf(keys.get(lock));
            for (Claim claim : referee.claims(lock)) {
                if (claim.isValid() && !claim.isExcused()) {
                    // While its owner is doing something with it, the server may be ahead of the client.
                    boolean counted = claim.certain && !quorum && !referee.isBusy(claim);
                    compare(claim, servers, key, counted);
                }
            }
            for (SimulatedServer server : servers) {
                List<LuaString> fields = server.keys().hgetall(key);
                for (int i = 0; i < fields.size(); i += 2) {
                    // What was reserved for a call stays for the claim window, however short the lease that it claims.
                    boolean excused = ledger.isAbandoned(fields.get(i)) || ledger.hasRunOut(fields.get(i));
                    if (!fields.get(i).raweq(Keyspace.TOKEN_FIELD) && !excused) {
                        hasOwner(fields.get(i).tojstring(), lock, clients, server, referee);
                    }
                }
            }
        }
    }

    private void compare(Claim claim, List<SimulatedServer> servers, LuaString key, boolean counted) {
        int there = 0;
        for (SimulatedServer server : servers) {
            long count = count(server, key.tojstring(), claim);
            there += count > 0 ? 1 : 0;
            int told = claim.hold != null ? 1 : claim.client.heldTimes(claim.lock, claim.threadId);
            if (counted && count > 0 && count != told) {
                complaints.broken("HC", claim + ": " + server.name + " counts " + count + ", its client " + told);
            }
        }
        if (there <= servers.size() / 2) {
            complaints.broken("HC", claim + ": is valid, but only " + there + " of the servers know it");
        }
    }

    /** How often a server says that an owner has a lock, or another one of its client has, that has handed it on since it was granted. */
    static long count(SimulatedServer server, String key, Claim claim) {
        List<LuaString> fields = server.keys().hgetall(LuaString.valueOf(key));
        long granted = 0;
        long ofClient = 0;
        for (int i = 0; i < fields.size(); i += 2) {
            String field = fields.get(i).tojstring();
            if (field.startsWith(claim.owner + ':')) {
                return fields.get(i + 1).tolong();
            } else if (fields.get(i).raweq(Keyspace.TOKEN_FIELD)) {
                granted = fields.get(i + 1).tolong();
            } else if (Acquisition.clientOf(field).equals(Acquisition.clientOf(claim.owner))) {
                ofClient = fields.get(i + 1).tolong();
            }
        }
        boolean isKnown = claim.token > 0;
        return isKnown && granted > claim.token ? 0 : ofClient;
    }

    private void hasOwner(
            String field, int lock, List<SimulatedClient> clients, SimulatedServer server, Referee referee) {
        for (Claim claim : referee.claims(lock)) {
            if (Acquisition.clientOf(field).equals(Acquisition.clientOf(claim.owner))
                    && (claim.hold == null || claim.hold.state() != HoldState.RELEASED)) {
                return;
            }
        }
        String clientId = field.substring(0, field.indexOf(':'));
        for (SimulatedClient client : clients) {
            // Who waits for a lock of several servers may have some of them, and is about to give them back; and what
            // an owner has just given back may be on its way.
            boolean busy = referee.ending.open().stream().anyMatch(call -> call.client == client && call.lock == lock);
            if (client.isInUse() && !busy && client.api().id().equals(clientId)) {
                complaints.broken("HC", server.name + " still has " + field + ", which nobody holds");
            }
        }
    }

    /**
     * What nobody holds or asks for, and what has been there for a while with everything in order, is an orphan, unless it
     * is a fixed lease that ran out here and not yet there.
     */
    void lookForOrphans(long now, long disturbedUntil, List<SimulatedClient> clients, Ledger ledger, Referee referee) {
        if (now - disturbedUntil < WakeUpChecker.AFTERMATH_NANOS) {
            return;
        }
        for (Acquisition each : ledger.present()) {
            each.looksWithoutOwner = isOrphan(each, clients, referee) ? each.looksWithoutOwner + 1 : 0;
            if (each.looksWithoutOwner > MOST_LOOKS) {
                complaints.broken(
                        "HC",
                        "server " + each.server + " still has " + each.field + ", "
                                + (now - each.sinceNanos) / 1_000_000 + " ms old, which nobody holds");
            }
        }
    }

    private static boolean isOrphan(Acquisition acquisition, List<SimulatedClient> clients, Referee referee) {
        if (acquisition.abandoned || acquisition.ranOut) {
            return false;
        }
        String owner = acquisition.owner();
        for (Claim claim : referee.claims(acquisition.lock)) {
            if (Acquisition.clientOf(claim.owner).equals(Acquisition.clientOf(owner))) {
                return false;
            }
        }
        for (SimulatedClient client : clients) {
            if (owner.startsWith(client.api().id() + ':')) {
                return client.isInUse() && client.isRunning();
            }
        }
        return false;
    }

    /**
     * Nobody holds anything, and every lease has had its time, but for what a connection asked for that its client had
     * left: it may have come late, where clients can't have such a connection ended.
     */
    void nothingLeft(SimulatedServer server, String key, Ledger ledger, boolean fences) {
        List<LuaString> fields = server.keys().hgetall(LuaString.valueOf(key));
        for (int i = 0; i < fields.size(); i += 2) {
            if (!fields.get(i).raweq(Keyspace.TOKEN_FIELD) && (fences || !ledger.isAbandoned(fields.get(i)))) {
                complaints.broken("HC", server.name + " still has " + key + ": " + fields);
                return;
            }
        }
    }
}
