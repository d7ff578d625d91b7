package com.example.boot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Sells once, at the address that {@code --holdfast.url} gives. */
@SpringBootApplication
public class Program {

    public static void main(String[] arguments) {
        try (ConfigurableApplicationContext context = SpringApplication.run(Program.class, arguments)) {
            System.out.println(context.getBean(Till.class).sell("42", null) + " on Spring Boot " + SpringBootVersion.getVersion());
        }
    }
}
