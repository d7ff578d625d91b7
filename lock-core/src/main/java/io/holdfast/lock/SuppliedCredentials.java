package io.holdfast.lock;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** What a supplier gives: providers are called where code may block. */
final class SuppliedCredentials implements CredentialsProvider {

    private final Supplier<Credentials> supplier;

    SuppliedCredentials(Supplier<Credentials> supplier) {
        this.supplier = Objects.requireNonNull(supplier, "supplier");
    }

    @Override
    public CompletionStage<Credentials> credentials() {
        return CompletableFuture.completedFuture(supplier.get());
    }

    @Override
    public String toString() {
        return "SuppliedCredentials{supplier=given}";
    }
}
