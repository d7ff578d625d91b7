package io.holdfast.lock.examples.stock;

import java.util.Locale;

/** The ways of locking that are compared. */
enum ShopKind {
    NONE("no lock", "Every buyer in the shop reads the same number."),
    TIMESTAMP("SETNX + GETSET", "A clock that is ahead sees leases end early; late owners delete locks of others."),
    LEASE("SET NX PX", "Right while the lease holds, but who sleeps through its end still writes."),
    HOLDFAST("Holdfast", "Who sleeps through a lease's end is told so, and the late write is refused.");

    private final String label;
    private final String remark;

    ShopKind(String label, String remark) {
        this.label = label;
        this.remark = remark;
    }

    String label() {
        return label;
    }

    String remark() {
        return remark;
    }

    Shop open(ShopSite site) {
        return switch (this) {
            case NONE -> new UnlockedShop(site);
            case TIMESTAMP -> new TimestampShop(site);
            case LEASE -> new LeaseShop(site);
            case HOLDFAST -> new HoldfastShop(site);
        };
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
