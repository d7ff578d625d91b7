package io.holdfast.lock.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Credentials;
import io.holdfast.lock.IoTransport;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options from a file and from variables: what is read, what goes before what, and how anything wrong is told. */
class OptionTextsTest {

    @TempDir
    Path folder;

    @Test
    void aFileSaysWhatABuilderSays() throws IOException {
        Path file = file(
                """
                # where the locks are
                address = redis://app:canary@h:7000/1
                commandTimeout=500 ms
                connectTimeout: PT3S
                queueLimit 17
                transport = nio
                lazy = TRUE
                clientName = shop
                lock.prefix = caf\\u0065
                lock.keyScheme = Redisson
                lock.maxHold = 10 min
                """);

        assertThat(ClientOptions.fromFile(file))
                .isEqualTo(ClientOptions.builder()
                        .address("redis://app:canary@h:7000/1")
                        .commandTimeout(Duration.ofMillis(500))
                        .connectTimeout(Duration.ofSeconds(3))
                        .queueLimit(17)
                        .transport(IoTransport.NIO)
                        .lazy(true)
                        .clientName("shop")
                        .lockOptions(LockOptions.builder()
                                .prefix("cafe")
                                .keyScheme(KeyScheme.REDISSON)
                                .maxHold(Duration.ofMinutes(10))
                                .build())
                        .build());
    }

    @Test
    void anEmptyFileAndNoVariablesSayNothing() throws IOException {
        assertThat(ClientOptions.fromFile(file(""))).isEqualTo(ClientOptions.defaults());
        assertThat(OptionTexts.fromEnvironment(Map.of("PATH", "/bin", "holdfast_LAZY", "true")))
                .isEqualTo(ClientOptions.defaults());
    }

    @Test
    void aBuilderGoesBeforeAVariableAndThatBeforeTheFile() throws IOException {
        Path file = file("commandTimeout = 1 ms\nheartbeat = 2 ms\nclientName = file\nlock.lease = 3 s\n");

        ClientOptions options = OptionTexts.fromEnvironment(Map.of(
                        "HOLDFAST_FILE",
                        file.toString(),
                        "HOLDFAST_HEARTBEAT",
                        "20 ms",
                        "HOLDFAST_CLIENT_NAME",
                        "variable",
                        "HOLDFAST_LOCK_LEASE",
                        " None"))
                .toBuilder()
                .clientName("builder")
                .build();

        assertThat(options.commandTimeout()).isEqualTo(Duration.ofMillis(1));
        assertThat(options.heartbeat()).isEqualTo(Duration.ofMillis(20));
        assertThat(options.clientName()).isEqualTo("builder");
        assertThat(options.lockOptions().lease()).isEmpty();
    }

    @Test
    void aFileFromAnEditorThatMarksItsTextsIsRead() throws IOException {
        assertThat(ClientOptions.fromFile(file("\ufefflazy=true\r\n\r\nclientName=shop\r\n")))
                .isEqualTo(ClientOptions.builder().lazy(true).clientName("shop").build());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "commandTimeout = 10      | commandTimeout: '10' (expected: a number and a unit, as in 500 ms, 1.5 s, 30 min, 2 h or 1 d; or PT10S)",
                "commandTimeout =         | commandTimeout: '' (expected: a number and a unit, as in 500 ms, 1.5 s, 30 min, 2 h or 1 d; or PT10S)",
                "commandTimeout = 0 s     | commandTimeout: 0 s (expected: at least 1 ms)",
                "queueLimit = 1e3         | queueLimit: '1e3' (expected: a whole number)",
                "queueLimit = 99999999999 | queueLimit: '99999999999' (expected: a whole number)",
                "queueLimit = -1          | queueLimit: -1 (expected: 1 to 16777216)",
                "ioThreads = ٣            | ioThreads: '٣' (expected: a whole number)",
                "transport = tcp          | transport: 'tcp' (expected: one of AUTO, NIO, EPOLL, KQUEUE, IO_URING)",
                "lazy = yes               | lazy: 'yes' (expected: true or false)",
                "clientName = my shop     | clientName: 'my shop' (expected: 1 to 64 visible ASCII characters without spaces)",
                "lock.lease = never       | lock.lease: 'never' (expected: a number and a unit, as in 500 ms, 1.5 s, 30 min, 2 h or 1 d; or PT10S; or none)",
                "lock.lease = 1 ms        | lock.lease: 1 ms (expected: at least 10 ms)",
                "lock.keyScheme = own     | lock.keyScheme: 'own' (expected: one of HOLDFAST, REDISSON)",
                "user =                   | user: not usable, and not shown (expected: a text that is not empty)",
                "passwordFile =           | passwordFile: '' (expected: the path of a file)",
                "user = app               | user without a password (expected: password or passwordFile, too)",
                "address =                | address: not usable, and not shown (expected: an address)",
                "comandTimeout = canary   | unknown option, and not shown (the nearest is commandTimeout)",
                "node = canary            | unknown option, and not shown (expected: one of docs/options.md)",
                "watchdogLease = canary   | unknown option, and not shown (the nearest is lock.watchdogLease)",
                "LAZY = canary            | unknown option, and not shown (the nearest is lazy)",
                "password = can\\tary      | password: not shown, since it holds a control character or a line separator (expected: a text that is not empty)",
                "lazy = true\u2028         | it holds a control character or a line separator (expected: visible characters and blanks)",
                "lock.prefix = shop\\      | it ends in a backslash, which would join the next line to it (expected: one line for each option, and \\\\ for a backslash)",
                "clientName = \\u00zz     | a \\u is not followed by four hexadecimal digits",
            })
    void aComplaintNamesTheLineAndTheOption(String line, String complaint) throws IOException {
        Path file = file("# one\n\n" + line);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.fromFile(file))
                .withMessage("file '" + file + "', line 3: " + complaint);
    }

    @Test
    void aComplaintNamesTheVariable() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OptionTexts.fromEnvironment(Map.of("HOLDFAST_LOCK_MAX_HOLD", "1 ms")))
                .withMessage("variable HOLDFAST_LOCK_MAX_HOLD: lock.maxHold: 1 ms (expected: at least 10 ms)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OptionTexts.fromEnvironment(Map.of("HOLDFAST_FILE", "")))
                .withMessage("variable HOLDFAST_FILE: '' (expected: the path of a file)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OptionTexts.fromEnvironment(Map.of("HOLDFAST_FILE", "a\u0000b")))
                .withMessage("variable HOLDFAST_FILE: 'a\\u0000b' (expected: the path of a file)");
    }

    @Test
    void aVariableOfSeveralLinesIsRefusedAndNotQuoted() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OptionTexts.fromEnvironment(Map.of("HOLDFAST_LOCK_PREFIX", "shop\ncanary")))
                .withMessage(
                        "variable HOLDFAST_LOCK_PREFIX: lock.prefix: not shown, since it holds a control character or"
                                + " a line separator (expected: a text)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OptionTexts.fromEnvironment(Map.of("HOLDFAST_PASSWORD", "canary\n")))
                .withMessage("variable HOLDFAST_PASSWORD: password: not shown, since it holds a control character or"
                        + " a line separator (expected: a text that is not empty)");
    }

    @Test
    void aUserWithABlankAtItsEndIsToldSo() throws IOException {
        Path file = file("user = app \npassword = canary");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.fromFile(file))
                .withMessageStartingWith(
                        "file '" + file + "', line 1: user: 4 characters, with white space at an end (");
    }

    @Test
    void twoReadingsOfOneFileAreEqual() throws IOException {
        Path file = file("user = app\npassword = canary");
        assertThat(ClientOptions.fromFile(file))
                .isEqualTo(ClientOptions.fromFile(file))
                .hasSameHashCodeAs(ClientOptions.fromFile(file));
        file("user = app\npasswordFile = canary");
        assertThat(ClientOptions.fromFile(file)).isEqualTo(ClientOptions.fromFile(file));
    }

    @Test
    void aContradictionNamesTheSourcesOfBoth() throws IOException {
        Path file = file("backoffMin = 6 s\nlock.maxHold = 1 s");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> OptionTexts.fromEnvironment(
                        Map.of("HOLDFAST_FILE", file.toString(), "HOLDFAST_LOCK_LEASE", "2 s")))
                .withMessage("file '" + file + "', line 2 and variable HOLDFAST_LOCK_LEASE:"
                        + " lease: 2 s contradicts maxHold: 1 s (expected: not longer)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OptionTexts.fromEnvironment(
                        Map.of("HOLDFAST_FILE", file.toString(), "HOLDFAST_LOCK_LEASE", "1 s")))
                .withMessage("file '" + file
                        + "', line 1: backoffMin: 6 s contradicts backoffMax: 5 s (expected: not longer)");
    }

    @Test
    void aNameThatIsGivenTwiceIsRefused() throws IOException {
        Path file = file("lazy=true\n#\nlazy=true");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.fromFile(file))
                .withMessage("file '" + file + "', line 3: lazy: given twice (expected: once; it is in line 1)");
    }

    @Test
    void aTextThatAVariableReplacesIsNotRead() throws IOException {
        Path file = file("commandTimeout = soon");

        assertThat(OptionTexts.fromEnvironment(
                        Map.of("HOLDFAST_FILE", file.toString(), "HOLDFAST_COMMAND_TIMEOUT", "1 s")))
                .isEqualTo(ClientOptions.defaults());
    }

    @Test
    void aUserAndAPasswordAreCredentials() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "canary\n");

        assertThat(credentials(ClientOptions.fromFile(file("user = app\npassword = canary"))))
                .isEqualTo(Credentials.of("app", "canary"));
        assertThat(credentials(OptionTexts.fromEnvironment(Map.of("HOLDFAST_PASSWORD", "canary"))))
                .isEqualTo(Credentials.ofPassword("canary"));
        assertThat(credentials(OptionTexts.fromEnvironment(
                        Map.of("HOLDFAST_USER", "app", "HOLDFAST_PASSWORD_FILE", secret.toString()))))
                .isEqualTo(Credentials.of("app", "canary"));
        assertThat(OptionTexts.fromEnvironment(Map.of("HOLDFAST_PASSWORD", "canary"))
                        .toString())
                .doesNotContain("canary");
    }

    @Test
    void aVariableReplacesWhatTheFileSaysInAnotherWay() throws IOException {
        Path file = file("user = app\npasswordFile = nowhere");

        ClientOptions options =
                OptionTexts.fromEnvironment(Map.of("HOLDFAST_FILE", file.toString(), "HOLDFAST_PASSWORD", "canary"));

        assertThat(credentials(options)).isEqualTo(Credentials.of("app", "canary"));
        Path both = file("password = canary\npasswordFile = nowhere");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.fromFile(both))
                .withMessage("file '" + both + "', line 1 and file '" + both
                        + "', line 2: password contradicts passwordFile (expected: one of them)");
    }

    private static Credentials credentials(ClientOptions options) {
        return options.credentials()
                .orElseThrow()
                .credentials()
                .toCompletableFuture()
                .join();
    }

    @Test
    void aFileThatIsNoneIsRefused() throws IOException {
        String expected = " (expected: a .properties file in UTF-8 of at most 65536 bytes)";
        Path missing = folder.resolve("missing.properties");
        Path binary = Files.write(folder.resolve("binary"), new byte[] {'a', '=', (byte) 0xff});

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.fromFile(missing))
                .withMessage("file '" + missing + "': it is not there" + expected);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.fromFile(folder))
                .withMessage("file '" + folder + "': it is a directory" + expected);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.fromFile(binary))
                .withMessage("file '" + binary + "': it is not UTF-8" + expected);
    }

    @Test
    void aHugeFileIsRefusedAndALargeOneIsRead() throws IOException {
        Path huge = folder.resolve("huge.properties");
        try (var file = new java.io.RandomAccessFile(huge.toFile(), "rw")) {
            file.setLength(50_000_000);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.fromFile(huge))
                .withMessage("file '" + huge + "': it has 50000000 bytes"
                        + " (expected: a .properties file in UTF-8 of at most 65536 bytes)");

        String end = "\nlazy=true";
        Path large = file("#".repeat(PropertiesFile.LARGEST_BYTES - end.length()) + end);
        assertThat(ClientOptions.fromFile(large).lazy()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "address = redis://app:canary@h\naddress = redis://app:canary@h",
                "address = redis://app:\ncanary@h",
                "canary",
                "canary = \\uzzzz",
                "address = canary\\uzzzz",
                "address = redis://app:canary@h\nbackoffMin = 6 s",
                "address = redis://app:canary@h\nlock.lease = 2 s\nlock.maxHold = 1 s",
                "lock.prefix = shop\\\npassword = canary",
                "commandTimeout = 500 ms\\\npassword = canary",
                "passwordFile = C:\\secrets\\\npassword = canary",
                "commandTimeout = 500 ms\fpassword = canary",
                "lock.prefix =\fpassword = canary",
                "commandTimeout = 500 ms\u0085password = canary",
                "commandTimeout = 500 ms\u2028password = canary",
                "lock.prefix = shop\u2029password = canary",
                "commandTimeout = 500 ms\\npassword = canary",
                "lock.prefix = shop\\u2028password = canary",
                "addressMapper = redis://app:canary@h:6379=h:6379",
                "addressMapper = app:canary@h",
                "sentinel.user = canary",
                "sentinel.user = can ary\nsentinel.password = canary",
                "sentinel.password = canary\nsentinel.passwordFile = a",
                "sentinel.tls.keyPassword = canary",
                "sentinel.tls.trustStorePassword = canary\nsentinel.plain = true",
            })
    void noTextOfAFileIsQuotedThatMayBeASecret(String text) throws IOException {
        Path file = file(text);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.fromFile(file))
                .satisfies(refused -> assertThat(everythingItSays(refused)).doesNotContain("canary"));
    }

    @Test
    void theAddressIsNeverShown() {
        ClientOptions options = OptionTexts.fromEnvironment(Map.of("HOLDFAST_ADDRESS", "redis://app:canary@h"));

        assertThat(options.address()).contains("redis://app:canary@h");
        assertThat(options.toString()).startsWith("ClientOptions{address=***, ").doesNotContain("canary");
        assertThat(ClientOptions.defaults().toString()).startsWith("ClientOptions{address=none, ");
    }

    private Path file(String text) throws IOException {
        return Files.write(folder.resolve("holdfast.properties"), text.getBytes(StandardCharsets.UTF_8));
    }

    private static String everythingItSays(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }
}
