package io.holdfast.lock.tests.models;

import java.util.List;

/**
 * A primary, the replica that takes its place, and a client on the way from one to the other.
 *
 * @param promoted whether the replica has been promoted: what the primary does since then it never hears of
 * @param server which of them the client is connected to: 0 or 1
 * @param connected whether it is
 * @param hold what the client holds
 * @param waiting the field of a call that waits; 0 if there is none
 * @param fields how many fields the client has used
 * @param done what the client has done with, as it is to be repeated at another server
 * @param repeats what is to be repeated at the present server, in any order
 * @param stuck the field of a request in the socket of a connection that has gone; 0 if there is none
 * @param doubtful the field of that request, until its undo is confirmed; 0 if there is none
 * @param breaks how many connections may still break
 */
record RepeatState(
        Lock primary,
        Lock replica,
        boolean promoted,
        int server,
        boolean connected,
        Lock hold,
        int waiting,
        int fields,
        List<Repeat> done,
        List<Repeat> repeats,
        int stuck,
        int doubtful,
        int breaks) {

    /** The field of another client. */
    static final int OTHER = 9;

    /** A field and its levels. */
    record Lock(int field, int levels) {
        static final Lock NONE = new Lock(0, 0);

        boolean isFree() {
            return field == 0;
        }
    }

    /** A step that is sent once more. */
    record Repeat(Kind kind, int field, int to) {
        enum Kind {
            RELEASE,
            RELEASE_ALL_BELOW,
            LOWER,
            TRANSFER
        }

        Lock at(Lock lock) {
            boolean isThis = lock.field() == field;
            boolean isBelow = lock.field() > 0 && lock.field() <= field;
            return switch (kind) {
                case RELEASE -> isThis ? Lock.NONE : lock;
                case RELEASE_ALL_BELOW -> isBelow ? Lock.NONE : lock;
                case LOWER -> isThis ? new Lock(field, 1) : lock;
                case TRANSFER -> isThis ? new Lock(to, 1) : lock;
            };
        }
    }

    /** What the client's server has. */
    Lock lock() {
        return server == 0 ? primary : replica;
    }

    boolean holds() {
        return !hold.isFree();
    }

    /** The lock at the client's server, and what the client makes of it. */
    RepeatState with(Lock lock, Lock newHold) {
        return server == 0
                ? new RepeatState(
                        lock,
                        promoted ? replica : lock,
                        promoted,
                        server,
                        connected,
                        newHold,
                        waiting,
                        fields,
                        done,
                        repeats,
                        stuck,
                        doubtful,
                        breaks)
                : new RepeatState(
                        primary, lock, promoted, server, connected, newHold, waiting, fields, done, repeats, stuck,
                        doubtful, breaks);
    }

    RepeatState using(int newFields, int newWaiting) {
        return new RepeatState(
                primary,
                replica,
                promoted,
                server,
                connected,
                hold,
                newWaiting,
                newFields,
                done,
                repeats,
                stuck,
                doubtful,
                breaks);
    }

    RepeatState doneWith(Repeat repeat) {
        return new RepeatState(
                primary,
                replica,
                promoted,
                server,
                connected,
                hold,
                waiting,
                fields,
                Lists.appended(done, repeat),
                repeats,
                stuck,
                doubtful,
                breaks);
    }

    RepeatState repeating(List<Repeat> newDone, List<Repeat> newRepeats) {
        return new RepeatState(
                primary,
                replica,
                promoted,
                server,
                connected,
                hold,
                waiting,
                fields,
                newDone,
                newRepeats,
                stuck,
                doubtful,
                breaks);
    }

    RepeatState promoting() {
        return new RepeatState(
                primary, replica, true, server, connected, hold, waiting, fields, done, repeats, stuck, doubtful,
                breaks);
    }

    RepeatState broken(int field) {
        return new RepeatState(
                primary,
                replica,
                promoted,
                server,
                false,
                hold,
                waiting,
                fields,
                done,
                repeats,
                field,
                field,
                breaks - 1);
    }

    RepeatState connectedTo(int newServer, int newStuck) {
        return new RepeatState(
                primary, replica, promoted, newServer, true, hold, waiting, fields, done, repeats, newStuck, 0, breaks);
    }

    /** The primary runs what was in its socket; it tells its replica, until that is promoted. */
    RepeatState primaryHas(Lock lock) {
        return new RepeatState(
                lock,
                promoted ? replica : lock,
                promoted,
                server,
                connected,
                hold,
                waiting,
                fields,
                done,
                repeats,
                0,
                doubtful,
                breaks);
    }

    @Override
    public String toString() {
        return String.format(
                "primary %s, replica %s%s; client at %d%s, holds %s, waits as %d; done with %s, repeats %s, in a socket %d",
                text(primary),
                text(replica),
                promoted ? ", promoted" : "",
                server,
                connected ? "" : ", not connected",
                text(hold),
                waiting,
                done,
                repeats,
                stuck);
    }

    private static String text(Lock lock) {
        return lock.isFree() ? "none" : lock.field() == OTHER ? "another's" : lock.field() + "x" + lock.levels();
    }
}
