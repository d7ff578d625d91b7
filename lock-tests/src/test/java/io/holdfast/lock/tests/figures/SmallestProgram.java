package io.holdfast.lock.tests.figures;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;

/** The smallest program that uses a lock. It is run on nothing but the class path that a user would have. */
public final class SmallestProgram {

    private SmallestProgram() {}

    /** Takes and releases a lock on the server with the given address. */
    public static void main(String[] args) {
        try (LockClient client = LockClient.connect(args[0])) {
            RLock lock = client.getLock("smallest");
            lock.lock();
            try {
                System.out.print("locked with token " + lock.getFencingToken());
            } finally {
                lock.unlock();
            }
        }
    }
}
