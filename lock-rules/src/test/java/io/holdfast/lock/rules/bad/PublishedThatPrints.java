package io.holdfast.lock.rules.bad;

class PublishedThatPrints {
    void print() {
        System.out.println("to standard output");
    }
}
