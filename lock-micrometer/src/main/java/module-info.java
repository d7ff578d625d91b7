/** Meters and observations of distributed locks, by Micrometer. */
module io.holdfast.lock.micrometer {
    requires transitive io.holdfast.lock.core;
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires transitive micrometer.commons;
    requires org.jspecify;
    requires org.slf4j;

    exports io.holdfast.lock.micrometer;
}
