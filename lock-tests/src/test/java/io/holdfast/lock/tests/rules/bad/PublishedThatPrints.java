package io.holdfast.lock.tests.rules.bad;

class PublishedThatPrints {
    void print() {
        System.out.println("to standard output");
    }
}
