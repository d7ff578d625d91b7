package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Credentials and where they come from: what is taken, what is refused by its name, and that no text shows the secret. */
class CredentialsValueTest {

    private static final String CANARY = "canary-77ab";
    private static final Instant THEN = Instant.parse("2030-01-02T03:04:05Z");

    @TempDir
    Path folder;

    @Test
    void haveAUserAPasswordAndAnExpiryOrNone() {
        Credentials credentials = Credentials.of("app", CANARY).expiringAt(THEN);

        assertThat(credentials.user()).contains("app");
        assertThat(credentials.password()).isEqualTo(CANARY);
        assertThat(credentials.expiry()).contains(THEN);
        assertThat(credentials)
                .isEqualTo(Credentials.of("app", CANARY).expiringAt(THEN))
                .hasSameHashCodeAs(Credentials.of("app", CANARY).expiringAt(THEN))
                .isNotEqualTo(Credentials.of("app", CANARY))
                .isNotEqualTo(Credentials.of("app", "other").expiringAt(THEN))
                .isNotEqualTo(Credentials.ofPassword(CANARY).expiringAt(THEN));
        assertThat(Credentials.ofPassword(CANARY).user()).isEmpty();
        assertThat(Credentials.ofPassword(CANARY).expiry()).isEmpty();
    }

    @Test
    void noTextShowsThePassword() throws Exception {
        Path file = fileWith(CANARY);
        for (CredentialsProvider provider : new CredentialsProvider[] {
            CredentialsProvider.of("app", CANARY),
            CredentialsProvider.file("app", file),
            CredentialsProvider.supplier(() -> Credentials.ofPassword(CANARY)),
            variable(Map.of("PASSWORD", CANARY), Optional.empty())
        }) {
            assertThat(provider.credentials().toCompletableFuture().get().password())
                    .isEqualTo(CANARY);
            assertThat(provider.toString()).doesNotContain(CANARY);
            assertThat(ClientOptions.builder().credentials(provider).build().toString())
                    .doesNotContain(CANARY)
                    .contains("credentials=given");
        }
        assertThat(Credentials.of("app", CANARY).expiringAt(THEN))
                .hasToString("Credentials{user=given, password=***, " + "expiry=2030-01-02T03:04:05Z}");
    }

    @Test
    void textsWithASecretOfTheUsersOwnProviderAreNotAskedFor() {
        CredentialsProvider talkative = new CredentialsProvider() {
            @Override
            public java.util.concurrent.CompletionStage<Credentials> credentials() {
                throw new AssertionError();
            }

            @Override
            public String toString() {
                return CANARY;
            }
        };
        assertThat(ClientOptions.builder().credentials(talkative).build().toString())
                .doesNotContain(CANARY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "my app", "app\t"})
    void aUserThatNoServerTakesIsRefused(String user) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Credentials.of(user, CANARY))
                .withMessageMatching("user: \\d characters.* \\(expected: .*\\)");
    }

    @Test
    void aPasswordOfNothingOrTooMuchIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Credentials.ofPassword(""))
                .withMessage("password: 0 characters (expected: 1 to 16384 bytes of UTF-8)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Credentials.ofPassword("x".repeat(16_385)))
                .withMessage("password: 16385 characters (expected: 1 to 16384 bytes of UTF-8)");
        assertThat(Credentials.ofPassword("x".repeat(16_384)).password()).hasSize(16_384);
    }

    @Test
    void aTextWithHalfACharacterIsRefusedSinceAnotherWouldBeSent() {
        String half = CANARY + "\ud800";
        String expected = " characters, one of them half of a surrogate pair (expected: 1 to 16384 bytes of UTF-8";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Credentials.ofPassword(half))
                .withMessageStartingWith("password: " + half.length() + expected);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Credentials.of("\udc00", CANARY))
                .withMessageStartingWith("user: 1" + expected);
        assertThat(Credentials.ofPassword("\ud83d\ude00").password()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {" app", "app ", "app\n", "my app "})
    void aUserWithABlankAtAnEndIsToldSo(String user) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Credentials.of(user, CANARY))
                .withMessageStartingWith(
                        "user: " + user.length() + " characters, with white space at an end (expected: ");
    }

    @Test
    void sourcesThatSayTheSameAreEqual() {
        Path file = Path.of("password");
        assertEqual(CredentialsProvider.of("app", CANARY), CredentialsProvider.of("app", CANARY));
        assertEqual(CredentialsProvider.file(file), CredentialsProvider.file(file));
        assertEqual(CredentialsProvider.file("app", file), CredentialsProvider.file("app", file));
        assertEqual(CredentialsProvider.variable("SECRET"), CredentialsProvider.variable("SECRET"));
        assertEqual(CredentialsProvider.variable("APP", "SECRET"), CredentialsProvider.variable("APP", "SECRET"));

        assertThat(Set.of(
                        CredentialsProvider.of("app", CANARY),
                        CredentialsProvider.of("app", "other"),
                        CredentialsProvider.of(Credentials.ofPassword(CANARY)),
                        CredentialsProvider.file(file),
                        CredentialsProvider.file(Path.of("other")),
                        CredentialsProvider.file("app", file),
                        CredentialsProvider.variable("SECRET"),
                        CredentialsProvider.variable("OTHER"),
                        CredentialsProvider.variable("APP", "SECRET"),
                        CredentialsProvider.variable("APP", "OTHER"),
                        variable(Map.of(), Optional.empty()),
                        variable(Map.of("PASSWORD", CANARY), Optional.empty())))
                .hasSize(12);
    }

    private static void assertEqual(CredentialsProvider one, CredentialsProvider other) {
        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    }

    @Test
    void aFileFromAnEditorThatMarksItsTextsIsRead() throws Exception {
        assertThat(passwordOf(CredentialsProvider.file(fileWith("\ufeff" + CANARY + "\r\n"))))
                .isEqualTo(CANARY);
        assertThatThrownBy(() -> CredentialsProvider.file(fileWith("\ufeff")).credentials())
                .isInstanceOf(CredentialsUnavailableException.class)
                .hasMessageContaining("no password");
    }

    @Test
    void aFileIsReadAtEachCallWithoutItsLineEnd() throws Exception {
        Path file = fileWith("one:two\n");
        CredentialsProvider provider = CredentialsProvider.file(file);

        assertThat(passwordOf(provider)).isEqualTo("one:two");
        for (String text : new String[] {"three", "three\n", "three\r\n"}) {
            Files.writeString(file, text);
            assertThat(passwordOf(provider)).isEqualTo("three");
        }
        Files.writeString(file, "four\n\n");
        assertThat(passwordOf(provider)).isEqualTo("four\n");
        assertThat(provider.interval()).contains(Duration.ofSeconds(30));
    }

    @Test
    void aFileWithoutAPasswordIsRefusedByItsName() throws Exception {
        assertThatThrownBy(() ->
                        CredentialsProvider.file(folder.resolve("missing")).credentials())
                .isInstanceOf(CredentialsUnavailableException.class)
                .hasMessageContaining("missing")
                .hasMessageContaining("NoSuchFileException");
        assertThatThrownBy(() -> CredentialsProvider.file(folder).credentials())
                .isInstanceOf(CredentialsUnavailableException.class);
        assertThatThrownBy(() -> CredentialsProvider.file(fileWith("")).credentials())
                .isInstanceOf(CredentialsUnavailableException.class)
                .hasMessageContaining("no password");
        assertThatThrownBy(() ->
                        CredentialsProvider.file(fileWith(CANARY.repeat(5_000))).credentials())
                .isInstanceOf(CredentialsUnavailableException.class)
                .hasMessageNotContaining(CANARY);
        Path noText = Files.write(folder.resolve("binary"), new byte[] {'c', (byte) 0xff});
        assertThatThrownBy(() -> CredentialsProvider.file(noText).credentials())
                .isInstanceOf(CredentialsUnavailableException.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void aByteOrderMarkIsNoPartOfThePassword() throws Exception {
        assertThat(passwordOf(CredentialsProvider.file(fileWith("\ufeffone\n"))))
                .isEqualTo("one");
    }

    @Test
    void whatIsNoRegularFileIsRefusedByItsName() {
        assertThatThrownBy(() -> CredentialsProvider.file(folder).credentials())
                .isInstanceOf(CredentialsUnavailableException.class)
                .hasMessageContaining("is a directory");
        Path device = Path.of("/dev/zero");
        assumeThat(device).exists();
        assertThatThrownBy(() -> CredentialsProvider.file(device).credentials())
                .isInstanceOf(CredentialsUnavailableException.class)
                .hasMessageContaining("is no regular file");
    }

    @Test
    void variablesAreReadAtEachCall() throws Exception {
        Map<String, String> environment = new HashMap<>(Map.of("USER", "app", "PASSWORD", "one"));
        CredentialsProvider provider = variable(environment, Optional.of("USER"));

        assertThat(provider.credentials().toCompletableFuture().get()).isEqualTo(Credentials.of("app", "one"));
        environment.put("PASSWORD", "two");
        assertThat(passwordOf(provider)).isEqualTo("two");
        environment.remove("PASSWORD");
        assertThatThrownBy(provider::credentials)
                .isInstanceOf(CredentialsUnavailableException.class)
                .hasMessage("variable PASSWORD: not set (expected: a user or a password)");
    }

    @ParameterizedTest
    @ValueSource(strings = {CANARY, "Canary77", "CANARY 77", "7CANARY", ""})
    void whatIsNoUsualNameOfAVariableIsNotShown(String passwordByMistake) {
        CredentialsProvider provider = CredentialsProvider.variable(passwordByMistake);
        assertThatThrownBy(provider::credentials)
                .isInstanceOf(CredentialsUnavailableException.class)
                .hasMessage(
                        "variable ***: not set (expected: a user or a password; its name is shown only if it is like"
                                + " APP_PASSWORD)");
        assertThat(provider).hasToString("PasswordVariable{***}");
        assertThatThrownBy(() ->
                        CredentialsProvider.variable(passwordByMistake, "PATH").credentials())
                .hasMessageStartingWith("variable ***: not set ");
        assertThat(CredentialsProvider.variable("_APP_1")).hasToString("PasswordVariable{_APP_1}");
    }

    @Test
    void variablesThatHoldNoUserOrPasswordAreRefusedByTheirNames() {
        assertThatThrownBy(variable(Map.of("USER", "app ", "PASSWORD", CANARY), Optional.of("USER"))::credentials)
                .isInstanceOf(CredentialsUnavailableException.class)
                .hasMessageStartingWith(
                        "variables USER and PASSWORD: user: 4 characters, with white space at an end (expected: ");
        assertThatThrownBy(variable(Map.of("PASSWORD", CANARY.repeat(2_000)), Optional.empty())::credentials)
                .isInstanceOf(CredentialsUnavailableException.class)
                .hasMessage("variable PASSWORD: password: 22000 characters (expected: 1 to 16384 bytes of UTF-8)");
    }

    private static CredentialsProvider variable(Map<String, String> environment, Optional<String> user) {
        return new PasswordVariable(user, "PASSWORD", environment::get);
    }

    private static String passwordOf(CredentialsProvider provider) throws Exception {
        return provider.credentials().toCompletableFuture().get().password();
    }

    private Path fileWith(String text) throws IOException {
        return Files.writeString(folder.resolve("password"), text);
    }
}
