package io.holdfast.lock.examples.stock;

import java.util.Optional;

/** A shop without a lock. */
final class UnlockedShop implements Shop {

    private final PlainStock stock;

    UnlockedShop(ShopSite site) {
        this.stock = new PlainStock(site);
    }

    @Override
    public int readStock() {
        return stock.read();
    }

    @Override
    public Optional<Visit> enter(long deadlineNanos) {
        return Optional.of(new Visit() {
            @Override
            public int readStock() {
                return stock.read();
            }

            @Override
            public boolean writeStock(int left) {
                return stock.write(left);
            }

            @Override
            public void leave() {}
        });
    }

    @Override
    public void close() {}
}
