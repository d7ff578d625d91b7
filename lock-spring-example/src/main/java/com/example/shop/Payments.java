package com.example.shop;

import org.springframework.stereotype.Component;

/** Stands for a service of others that charges buyers, and takes its time. */
@Component
class Payments {

    private final ShopProperties properties;

    Payments(ShopProperties properties) {
        this.properties = properties;
    }

    void charge(String buyer) throws InterruptedException {
        Thread.sleep(properties.paymentTime().toMillis());
    }
}
