package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A password, and perhaps a user, in variables of the environment. */
final class PasswordVariable implements CredentialsProvider {

    /** Other names are not shown: where a program passes the password itself by mistake, it stands in place of the name. */
    private static final Pattern USUAL_NAME = Pattern.compile("[A-Z_][A-Z0-9_]*");

    private static final Function<String, @Nullable String> ENVIRONMENT = System::getenv;

    private final Optional<String> userVariable;
    private final String passwordVariable;
    private final Function<String, @Nullable String> environment;

    PasswordVariable(Optional<String> userVariable, String passwordVariable) {
        this(userVariable, passwordVariable, ENVIRONMENT);
    }

    PasswordVariable(
            Optional<String> userVariable, String passwordVariable, Function<String, @Nullable String> environment) {
        this.userVariable = userVariable;
        this.passwordVariable = Objects.requireNonNull(passwordVariable, "passwordVariable");
        this.environment = environment;
    }

    @Override
    public CompletionStage<Credentials> credentials() {
        String password = value(passwordVariable);
        if (userVariable.isEmpty()) {
            return made("variable " + shown(passwordVariable), () -> Credentials.ofPassword(password));
        }
        String user = value(userVariable.get());
        return made(
                "variables " + shown(userVariable.get()) + " and " + shown(passwordVariable),
                () -> Credentials.of(user, password));
    }

    @Override
    public boolean mayBlock() {
        return false;
    }

    /** What credentials say of texts that are none quotes nothing of these, and may be shown. */
    private static CompletionStage<Credentials> made(String source, Supplier<Credentials> credentials) {
        try {
            return CompletableFuture.completedFuture(credentials.get());
        } catch (IllegalArgumentException unusable) {
            throw new CredentialsUnavailableException(
                    source + ": " + Printable.message(unusable.getMessage()), unusable);
        }
    }

    private String value(String variable) {
        String value = environment.apply(variable);
        if (value == null || value.isEmpty()) {
            throw new CredentialsUnavailableException("variable " + shown(variable) + ": "
                    + (value == null ? "not set" : "empty") + " (expected: a user or a password"
                    + (isUsual(variable) ? ")" : "; its name is shown only if it is like APP_PASSWORD)"));
        }
        return value;
    }

    private static String shown(String variable) {
        return isUsual(variable) ? Printable.of(variable) : "***";
    }

    private static boolean isUsual(String variable) {
        return USUAL_NAME.matcher(variable).matches();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PasswordVariable that
                && userVariable.equals(that.userVariable)
                && passwordVariable.equals(that.passwordVariable)
                && environment.equals(that.environment);
    }

    @Override
    public int hashCode() {
        return Objects.hash(userVariable, passwordVariable);
    }

    @Override
    public String toString() {
        return "PasswordVariable{" + shown(passwordVariable) + '}';
    }
}
