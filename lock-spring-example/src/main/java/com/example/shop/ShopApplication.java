package com.example.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.scheduling.annotation.EnableScheduling;

/** One instance of the shop. All instances share a database, and a Redis for their locks. */
@SpringBootApplication
@EnableScheduling
@EnableConfigurationProperties(ShopProperties.class)
public class ShopApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(ShopApplication.class, arguments);
    }
}
