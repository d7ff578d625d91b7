package io.holdfast.lock.engine.permit;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.key.PermitKeys;
import io.holdfast.lock.engine.kind.Permits;
import io.holdfast.lock.engine.lock.HoldView;
import io.holdfast.lock.engine.operation.HoldOperations;
import io.holdfast.lock.engine.wait.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A semaphore whose permits are given back by their ids, as its user sees it. */
public final class EnginePermits extends LimitFacade implements RPermitExpirableSemaphore {

    private final Taking taking;
    private final ById byId;
    private final HoldOperations operations;
    /** The lease of calls that name none. */
    private final LeaseTerm unnamed;

    public EnginePermits(SemaphoreParts parts, PermitKeys keys, LockOptions options) {
        super(parts.facts(), keys.named(), new Limit(parts, keys));
        this.taking = new Taking(parts, keys, Permits.BY_ID, options);
        this.byId = new ById(parts, keys);
        this.operations = parts.operations();
        this.unnamed = LeaseTerm.unnamed(options);
    }

    // --- taking, by id ---

    @Override
    public String acquire() throws InterruptedException {
        return ids(1, unnamed, Ticket.NEVER, "acquire").get(0);
    }

    @Override
    public String acquire(long leaseTime, TimeUnit unit) throws InterruptedException {
        return ids(1, lease(leaseTime, unit), Ticket.NEVER, "acquire").get(0);
    }

    @Override
    public List<String> acquire(int permits) throws InterruptedException {
        return ids(permits, unnamed, Ticket.NEVER, "acquire");
    }

    @Override
    public List<String> acquire(int permits, long leaseTime, TimeUnit unit) throws InterruptedException {
        return ids(permits, lease(leaseTime, unit), Ticket.NEVER, "acquire");
    }

    @Override
    public @Nullable String tryAcquire() {
        return firstId(taking.tryOnce(1, unnamed, "tryAcquire"));
    }

    @Override
    public List<String> tryAcquire(int permits) {
        return byId.of(taking.tryOnce(permits, unnamed, "tryAcquire"));
    }

    @Override
    public @Nullable String tryAcquire(long waitTime, TimeUnit unit) throws InterruptedException {
        return firstId(taking.await(1, unnamed, Taking.waitNanos(waitTime, unit), "tryAcquire"));
    }

    @Override
    public @Nullable String tryAcquire(long waitTime, long leaseTime, TimeUnit unit) throws InterruptedException {
        return firstId(taking.await(1, lease(leaseTime, unit), Taking.waitNanos(waitTime, unit), "tryAcquire"));
    }

    @Override
    public List<String> tryAcquire(int permits, long waitTime, long leaseTime, TimeUnit unit)
            throws InterruptedException {
        return ids(permits, lease(leaseTime, unit), Taking.waitNanos(waitTime, unit), "tryAcquire");
    }

    private List<String> ids(int permits, LeaseTerm lease, long waitNanos, String method) throws InterruptedException {
        return byId.of(taking.await(permits, lease, waitNanos, method));
    }

    private LeaseTerm lease(long leaseTime, TimeUnit unit) {
        return LeaseTerm.of(leaseTime, unit, taking.options);
    }

    private @Nullable String firstId(List<Hold> granted) {
        return granted.isEmpty() ? null : byId.of(granted).get(0);
    }

    // --- the same, asynchronous ---

    @Override
    public RFuture<String> acquireAsync() {
        return one(unnamed, Ticket.NEVER);
    }

    @Override
    public RFuture<String> acquireAsync(long leaseTime, TimeUnit unit) {
        return one(lease(leaseTime, unit), Ticket.NEVER);
    }

    private RFuture<String> one(LeaseTerm lease, long waitNanos) {
        return taking.promise(1, lease, waitNanos, granted -> byId.of(granted).get(0));
    }

    @Override
    public RFuture<List<String>> acquireAsync(int permits) {
        return taking.promise(permits, unnamed, Ticket.NEVER, byId::of);
    }

    @Override
    public RFuture<List<String>> acquireAsync(int permits, long leaseTime, TimeUnit unit) {
        return taking.promise(permits, lease(leaseTime, unit), Ticket.NEVER, byId::of);
    }

    @Override
    public RFuture<@Nullable String> tryAcquireAsync() {
        return taking.<@Nullable String>promise(1, unnamed, 0, this::firstId);
    }

    @Override
    public RFuture<List<String>> tryAcquireAsync(int permits) {
        return taking.promise(permits, unnamed, 0, byId::of);
    }

    @Override
    public RFuture<@Nullable String> tryAcquireAsync(long waitTime, TimeUnit unit) {
        return taking.<@Nullable String>promise(1, unnamed, Taking.waitNanos(waitTime, unit), this::firstId);
    }

    @Override
    public RFuture<@Nullable String> tryAcquireAsync(long waitTime, long leaseTime, TimeUnit unit) {
        return taking.<@Nullable String>promise(
                1, lease(leaseTime, unit), Taking.waitNanos(waitTime, unit), this::firstId);
    }

    @Override
    public RFuture<List<String>> tryAcquireAsync(int permits, long waitTime, long leaseTime, TimeUnit unit) {
        return taking.promise(permits, lease(leaseTime, unit), Taking.waitNanos(waitTime, unit), byId::of);
    }

    // --- handles ---

    @Override
    public LockHold acquireHold() throws InterruptedException {
        return handles(taking.await(1, unnamed, Ticket.NEVER, "acquireHold")).get(0);
    }

    @Override
    public Optional<LockHold> tryAcquireHold(Duration wait) throws InterruptedException {
        return first(taking.await(1, unnamed, Taking.waitNanos(wait), "tryAcquireHold"));
    }

    @Override
    public Optional<LockHold> tryAcquireHold(Duration wait, Duration lease) throws InterruptedException {
        return first(taking.await(1, lease(lease), Taking.waitNanos(wait), "tryAcquireHold"));
    }

    @Override
    public List<LockHold> tryAcquireHolds(int permits, Duration wait, Duration lease) throws InterruptedException {
        return handles(taking.await(permits, lease(lease), Taking.waitNanos(wait), "tryAcquireHolds"));
    }

    @Override
    public RFuture<LockHold> acquireHoldAsync() {
        return taking.promise(
                1, unnamed, Ticket.NEVER, granted -> handles(granted).get(0));
    }

    @Override
    public RFuture<Optional<LockHold>> tryAcquireHoldAsync(Duration wait) {
        return taking.promise(1, unnamed, Taking.waitNanos(wait), this::first);
    }

    @Override
    public RFuture<Optional<LockHold>> tryAcquireHoldAsync(Duration wait, Duration lease) {
        return taking.promise(1, lease(lease), Taking.waitNanos(wait), this::first);
    }

    @Override
    public RFuture<List<LockHold>> tryAcquireHoldsAsync(int permits, Duration wait, Duration lease) {
        return taking.promise(permits, lease(lease), Taking.waitNanos(wait), this::handles);
    }

    private LeaseTerm lease(Duration lease) {
        return LeaseTerm.of(lease, taking.options);
    }

    private Optional<LockHold> first(List<Hold> granted) {
        return handles(granted).stream().findFirst();
    }

    private List<LockHold> handles(List<Hold> granted) {
        return granted.stream()
                .<LockHold>map(hold -> new HoldView(hold, operations))
                .toList();
    }

    // --- giving back, and keeping longer ---

    @Override
    public void release(String permitId) {
        release(List.of(byId.checked(permitId)));
    }

    @Override
    public void release(List<String> permitIds) {
        List<String> ids = byId.checked(permitIds);
        byId.release(ids, this.<Done>parked("release")).await();
    }

    @Override
    public RFuture<Void> releaseAsync(String permitId) {
        return releaseAsync(List.of(byId.checked(permitId)));
    }

    @Override
    public RFuture<Void> releaseAsync(List<String> permitIds) {
        List<String> ids = byId.checked(permitIds);
        return doneLater(result -> byId.release(ids, result));
    }

    @Override
    public boolean tryRelease(String permitId) {
        String id = byId.checked(permitId);
        return byId.tryRelease(id, this.<Boolean>parked("tryRelease")).await();
    }

    @Override
    public RFuture<Boolean> tryReleaseAsync(String permitId) {
        String id = byId.checked(permitId);
        return this.<Boolean>later(result -> byId.tryRelease(id, result));
    }

    @Override
    public boolean updateLeaseTime(String permitId, long leaseTime, TimeUnit unit) {
        String id = byId.checked(permitId);
        long millis = byId.leaseMillis(leaseTime, unit);
        return byId.extend(id, millis, this.<Boolean>parked("updateLeaseTime")).await();
    }

    @Override
    public RFuture<Boolean> updateLeaseTimeAsync(String permitId, long leaseTime, TimeUnit unit) {
        String id = byId.checked(permitId);
        long millis = byId.leaseMillis(leaseTime, unit);
        return this.<Boolean>later(result -> byId.extend(id, millis, result));
    }
}
