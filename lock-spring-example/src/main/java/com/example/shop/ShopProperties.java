package com.example.shop;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the shop.
 *
 * @param paymentTime how long a payment takes
 */
@ConfigurationProperties("shop")
record ShopProperties(@DefaultValue("50ms") Duration paymentTime) {}
