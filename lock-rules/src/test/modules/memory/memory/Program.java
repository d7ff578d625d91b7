package memory;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import java.time.Duration;

/** Two clients of one store take a lock from each other. */
public final class Program {

    private Program() {}

    public static void main(String[] arguments) throws Exception {
        try (LockClient client = LockClient.connect("heap:shop");
                LockClient other = LockClient.connectAsync("heap:shop").join()) {
            RLock lock = client.getLock("stock");
            RLock same = other.getLock("stock");
            lock.lock();
            System.out.println("held: " + lock.isHeldByCurrentThread() + ", refused: " + !same.tryLock());
            lock.unlock();
            try (LockHold hold = same.tryAcquire(Duration.ofSeconds(5)).orElseThrow()) {
                System.out.println("later: " + hold.state() + " with token " + hold.fencingToken());
            }
        }
    }
}
