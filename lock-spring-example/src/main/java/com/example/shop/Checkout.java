package com.example.shop;

import io.holdfast.lock.spring.Locked;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** Sells items: what is left is read, the buyer pays, and one less is written. */
@Service
class Checkout {

    private final Stock stock;
    private final Payments payments;

    Checkout(Stock stock, Payments payments) {
        this.stock = stock;
        this.payments = payments;
    }

    /**
     * Sells the item, while no other process and no other thread sells the same one.
     *
     * @return empty if it is sold out
     */
    @Locked("item:#{#item}")
    public Optional<Sale> buy(String item, String buyer) throws InterruptedException {
        return sell(item, buyer);
    }

    /** The same without a lock: to show what goes wrong. */
    public Optional<Sale> buyWithoutLock(String item, String buyer) throws InterruptedException {
        return sell(item, buyer);
    }

    private Optional<Sale> sell(String item, String buyer) throws InterruptedException {
        int left = stock.left(item);
        if (left == 0) {
            return Optional.empty();
        }
        payments.charge(buyer);
        return Optional.of(stock.sold(item, buyer, left - 1));
    }
}
