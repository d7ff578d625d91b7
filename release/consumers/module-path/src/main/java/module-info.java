/** A program that requires the API alone; the transport is found as a service. */
module com.example.modular {
    requires io.holdfast.lock.core;
}
