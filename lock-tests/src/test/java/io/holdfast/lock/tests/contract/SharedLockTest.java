package io.holdfast.lock.tests.contract;

import io.holdfast.lock.tests.support.Site;

/** A lock that several owners share, on one server. */
class SharedLockTest extends SharedLockContract implements OnServers {

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
