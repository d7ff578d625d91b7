package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A password, and perhaps a user, in variables of the environment. */
final class PasswordVariable implements CredentialsProvider {

    private final Optional<String> userVariable;
    private final String passwordVariable;
    private final Function<String, @Nullable String> environment;

    PasswordVariable(
            Optional<String> userVariable, String passwordVariable, Function<String, @Nullable String> environment) {
        this.userVariable = userVariable;
        this.passwordVariable = Objects.requireNonNull(passwordVariable, "passwordVariable");
        this.environment = environment;
    }

    @Override
    public CompletionStage<Credentials> credentials() {
        String password = value(passwordVariable);
        return CompletableFuture.completedFuture(
                userVariable.isPresent()
                        ? Credentials.of(value(userVariable.get()), password)
                        : Credentials.ofPassword(password));
    }

    private String value(String variable) {
        String value = environment.apply(variable);
        if (value == null || value.isEmpty()) {
            throw new CredentialsUnavailableException("variable " + Printable.of(variable) + ": "
                    + (value == null ? "not set" : "empty") + " (expected: a user or a password)");
        }
        return value;
    }

    @Override
    public String toString() {
        return "PasswordVariable{" + Printable.of(passwordVariable) + '}';
    }
}
