package com.example.shop;

import java.io.IOException;

/** The shop as a child process: it ends when its parent does, however that ends. */
final class WatchedShop {

    private WatchedShop() {}

    public static void main(String[] arguments) {
        Thread watch = new Thread(WatchedShop::endWithTheParent, "parent-watch");
        watch.setDaemon(true);
        watch.start();
        ShopApplication.main(arguments);
    }

    private static void endWithTheParent() {
        try {
            while (System.in.read() >= 0) {
                continue;
            }
        } catch (IOException gone) {
            Runtime.getRuntime().halt(2);
        }
        Runtime.getRuntime().halt(1);
    }
}
