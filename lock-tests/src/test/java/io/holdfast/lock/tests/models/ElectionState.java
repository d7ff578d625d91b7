package io.holdfast.lock.tests.models;

import java.util.List;

/**
 * An election: what the server has of it, the campaigns, and one observer.
 *
 * @param replica what a replica has, which may replace the server
 * @param late proclamations that may be executed at any later time
 * @param minted the newest term
 */
record ElectionState(
        Server server,
        Server replica,
        List<Campaign> campaigns,
        List<Copy> late,
        Observer observer,
        int minted,
        Trace trace,
        Budget budget) {

    /**
     * The lock, and the record beside it.
     *
     * @param holder the field that holds the lock; -1: none
     */
    record Server(int holder, int token, Sight said) {
        static final Server EMPTY = new Server(-1, 0, Sight.NONE);

        Server held(int field, int newToken) {
            return new Server(field, newToken, said);
        }

        Server freed() {
            return new Server(-1, 0, said);
        }

        Server saying(Sight what) {
            return new Server(holder, token, what);
        }

        /** Who leads, by the record. */
        Sight leader(boolean compares) {
            return holder >= 0 && said.term() == token || !compares ? said : Sight.NONE;
        }
    }

    /**
     * Who leads: a record, or what an observer believes.
     *
     * @param term 0: no candidate
     * @param campaign the one that leads
     */
    record Sight(int term, int campaign, int version) {
        static final Sight NONE = new Sight(0, -1, 0);
    }

    enum Phase {
        NEW,
        ASKING,
        /** The lock is granted to it, and the answer is on its way. */
        GRANTED,
        PROCLAIMING,
        PROCLAIMED,
        /** The answer says that its field is gone. */
        REFUSED,
        LEADING,
        GIVING_BACK,
        /** The candidate has given up, and its lock is still kept. */
        ABANDONED,
        OVER
    }

    /**
     * One campaign, and the leadership that comes of it.
     *
     * @param version of the value that was sent last
     * @param known of the value that is known to be set
     */
    record Campaign(Phase phase, int term, int version, int known) {
        static final Campaign FIRST = new Campaign(Phase.NEW, 0, 0, 0);

        Campaign in(Phase next) {
            return next == Phase.OVER ? new Campaign(next, term, 0, 0) : new Campaign(next, term, version, known);
        }

        Campaign granted(int newTerm) {
            return new Campaign(Phase.GRANTED, newTerm, 0, 0);
        }

        Campaign proclaims() {
            return new Campaign(Phase.PROCLAIMING, term, version + 1, known);
        }

        Campaign leads() {
            return new Campaign(Phase.LEADING, term, version, version);
        }

        /** Whether its client renews the lock. */
        boolean isAlive() {
            return phase != Phase.OVER && phase != Phase.GIVING_BACK;
        }

        /** Whether the validity of what it has may end. */
        boolean mayBeLost() {
            return switch (phase) {
                case GRANTED, PROCLAIMING, PROCLAIMED, REFUSED, LEADING -> true;
                default -> false;
            };
        }
    }

    /** A proclamation of a campaign. */
    record Copy(int campaign, int version) {}

    enum Stage {
        NEW,
        ASKING,
        HEARING,
        WAITING
    }

    enum Feed {
        REQUESTED,
        LISTENING
    }

    /**
     * The observer.
     *
     * @param told what it was told last
     * @param newest the newest leader that it was told of
     * @param heard what the answer on its way says
     * @param lease the token of the lock whose lease it knows
     * @param permit whether to look again after the answer
     * @param news whether something is on its way that makes it look; of more than one the last does that
     */
    record Observer(
            Stage stage, Sight told, Sight newest, Sight heard, int lease, boolean permit, Feed feed, boolean news) {
        static final Observer FIRST =
                new Observer(Stage.NEW, Sight.NONE, Sight.NONE, Sight.NONE, 0, false, Feed.REQUESTED, false);

        Observer asks() {
            return new Observer(Stage.ASKING, told, newest, Sight.NONE, lease, false, feed, news);
        }

        Observer hears(Sight sight, int token) {
            return new Observer(Stage.HEARING, told, newest, sight, token, permit, feed, news);
        }

        Observer tells(Sight sight) {
            Sight last = sight.term() == 0 ? newest : sight;
            return new Observer(Stage.WAITING, sight, last, Sight.NONE, lease, permit, feed, news);
        }

        Observer permitted() {
            return new Observer(stage, told, newest, heard, lease, true, feed, news);
        }

        Observer feed(Feed next, boolean nextNews) {
            return new Observer(stage, told, newest, heard, lease, permit, next, nextNews);
        }

        boolean isLooking() {
            return stage == Stage.ASKING || stage == Stage.HEARING;
        }
    }

    /**
     * What has been violated, or excuses what would be.
     *
     * @param lied a look was told of a leader that was none
     * @param wentBack the observer was told of an earlier term
     * @param failedOver a replica has replaced the server
     */
    record Trace(boolean lied, boolean wentBack, boolean failedOver) {
        static final Trace NONE = new Trace(false, false, false);
    }

    /** What may still happen. */
    record Budget(int values, int reconnects, int drops, int restarts, int failovers, int copies) {}

    ElectionState with(Server next) {
        return new ElectionState(next, replica, campaigns, late, observer, minted, trace, budget);
    }

    ElectionState replicated() {
        return new ElectionState(server, server, campaigns, late, observer, minted, trace, budget);
    }

    ElectionState with(int number, Campaign changed) {
        return new ElectionState(
                server, replica, Lists.replaced(campaigns, number, changed), late, observer, minted, trace, budget);
    }

    ElectionState with(Observer changed) {
        return new ElectionState(server, replica, campaigns, late, changed, minted, trace, budget);
    }

    ElectionState with(Budget left) {
        return new ElectionState(server, replica, campaigns, late, observer, minted, trace, left);
    }

    ElectionState with(Trace seen) {
        return new ElectionState(server, replica, campaigns, late, observer, minted, seen, budget);
    }

    ElectionState late(List<Copy> copies) {
        return new ElectionState(server, replica, campaigns, copies, observer, minted, trace, budget);
    }

    ElectionState minted(int newest) {
        return new ElectionState(server, replica, campaigns, late, observer, newest, trace, budget);
    }

    @Override
    public String toString() {
        return String.format(
                "server: field %d holds token %d, record %s%ncampaigns: %s%s%nobserver: %s, told %s, %s%s",
                server.holder(),
                server.token(),
                server.said(),
                campaigns.stream()
                        .map(each -> each.phase() + " of term " + each.term())
                        .toList(),
                late.isEmpty() ? "" : ", late " + late,
                observer.stage(),
                observer.told(),
                observer.feed(),
                observer.news() ? ", news on their way" : "");
    }
}
