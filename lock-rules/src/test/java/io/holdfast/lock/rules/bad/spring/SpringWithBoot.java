package io.holdfast.lock.rules.bad.spring;

import org.springframework.boot.SpringApplication;

/** Breaks: the starter alone sees Boot. */
interface SpringWithBoot {
    SpringApplication application();
}
