package io.holdfast.cli;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import java.io.Console;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which servers a command asks, and as which user. */
final class StoreOptions {

    private static final String URL_VARIABLE = "HOLDFAST_URL";
    private static final String ADDRESS_VARIABLE = "HOLDFAST_ADDRESS";
    private static final String PROFILE_VARIABLE = "HOLDFAST_PROFILE";
    private static final Pattern WITH_PASSWORD = Pattern.compile("(?s)[a-z-]+://[^/@]*:[^/]*@.*");

    @Option(
            names = {"-u", "--url"},
            paramLabel = "URL",
            description = "The server, as in redis://host:6379. Several are the nodes of a quorum. Without it: "
                    + "--options, --profile, or the variable HOLDFAST_URL.")
    private List<String> urls = List.of();

    @Option(
            names = "--options",
            paramLabel = "FILE",
            description = "Client options, such as address and TLS, from a .properties file.")
    private @Nullable Path file;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            description = "The same from NAME.properties in ~/.config/holdfast.")
    private @Nullable String profile;

    @Option(names = "--user", paramLabel = "NAME", description = "The server's user, with --ask-password.")
    private @Nullable String user;

    @Option(
            names = "--ask-password",
            description =
                    "Ask for the password. Other ways: HOLDFAST_PASSWORD, HOLDFAST_PASSWORD_FILE, the options file.")
    private boolean asked;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    /** Takes addresses that were not given by {@code --url}. */
    void add(List<String> more) {
        urls = Stream.concat(urls.stream(), more.stream()).toList();
    }

    LockClient connect() {
        return connect(UnaryOperator.identity());
    }

    /**
     * Connects.
     *
     * @param more options that the command sets itself
     * @throws ParameterException if the address or the options are none
     */
    LockClient connect(UnaryOperator<ClientOptions.Builder> more) {
        ClientOptions given = given();
        List<String> addresses = addresses(given);
        ClientOptions.Builder builder = given.toBuilder().noAddress();
        if (given.clientName().equals(ClientOptions.defaults().clientName())) {
            builder.clientName("holdfast-cli");
        }
        if (asked || user != null) {
            builder.credentials(CredentialsProvider.of(askedFor()));
        }
        try {
            ClientOptions options = more.apply(builder).build();
            return addresses.size() == 1
                    ? LockClient.connect(addresses.get(0), options)
                    : LockClient.connectQuorum(addresses, options, QuorumOptions.defaults());
        } catch (IllegalArgumentException | UnsupportedOperationException refused) {
            throw usage(String.valueOf(refused.getMessage()), refused);
        }
    }

    /** The options of locks that the user has given, by a file or by variables. */
    LockOptions lockOptions() {
        return given().lockOptions();
    }

    private ClientOptions given() {
        String named = profile != null || file != null ? profile : System.getenv(PROFILE_VARIABLE);
        if (file != null && named != null) {
            throw usage("--options and --profile: two files (expected: one of them)", null);
        }
        try {
            if (named != null) {
                return ClientOptions.fromFile(Profiles.ofUser().file(named));
            }
            return file == null ? ClientOptions.fromEnvironment() : ClientOptions.fromFile(file);
        } catch (IllegalArgumentException refused) {
            throw usage(String.valueOf(refused.getMessage()), refused);
        }
    }

    private List<String> addresses(ClientOptions given) {
        boolean fromFile = file != null || profile != null || System.getenv(PROFILE_VARIABLE) != null;
        if (!urls.isEmpty()) {
            if (urls.stream().anyMatch(url -> WITH_PASSWORD.matcher(url).matches())) {
                throw usage(
                        "--url: has a password, which other users of this machine see (expected: an address without "
                                + "one, and HOLDFAST_PASSWORD, HOLDFAST_PASSWORD_FILE or --ask-password)",
                        null);
            }
            if (fromFile && given.address().isPresent()) {
                throw usage("two addresses: --url, and 'address' in the file (expected: one of them)", null);
            }
            return urls;
        }
        String variable = System.getenv(URL_VARIABLE);
        if (given.address().isPresent()) {
            if (variable != null && !fromFile) {
                throw usage(
                        "two addresses: " + URL_VARIABLE + " and " + ADDRESS_VARIABLE + " (expected: one of them)",
                        null);
            }
            return List.of(given.address().get());
        }
        if (variable == null || variable.isBlank()) {
            throw usage("no address (expected: --url, --options, --profile, or the variable HOLDFAST_URL)", null);
        }
        return List.of(variable.strip().split("\\s+"));
    }

    private Credentials askedFor() {
        Optional<Console> console = Terminal.console();
        if (!asked || console.isEmpty()) {
            throw usage(
                    asked
                            ? "--ask-password: there is no terminal (expected: HOLDFAST_PASSWORD or HOLDFAST_PASSWORD_FILE)"
                            : "--user: without --ask-password (expected: both, or HOLDFAST_USER)",
                    null);
        }
        char[] password =
                console.map(asking -> asking.readPassword("password: ")).orElse(new char[0]);
        try {
            return user == null
                    ? Credentials.ofPassword(new String(password))
                    : Credentials.of(user, new String(password));
        } catch (IllegalArgumentException refused) {
            throw usage(String.valueOf(refused.getMessage()), refused);
        }
    }

    private ParameterException usage(String message, @Nullable Exception cause) {
        return new ParameterException(command.commandLine(), message, cause);
    }
}
