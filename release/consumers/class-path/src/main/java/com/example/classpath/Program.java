package com.example.classpath;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;

/** Locks once at the given address, and says so. */
public final class Program {

    private Program() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (LockClient client = LockClient.connect(arguments[0]);
                LockHold hold = client.getLock("stock:42").acquire()) {
            System.out.println("locked with token " + hold.fencingToken());
        }
    }
}
