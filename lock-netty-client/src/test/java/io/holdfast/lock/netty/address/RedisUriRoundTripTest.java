package io.holdfast.lock.netty.address;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Every server has an address, and its address leads to it: whatever the host, the port, the user and the password. */
class RedisUriRoundTripTest {

    @Property(tries = 1_000)
    void anAddressIsReadAsItWasMade(
            @ForAll("hosts") String host,
            @ForAll @IntRange(min = 1, max = 65_535) int port,
            @ForAll("users") Optional<String> user,
            @ForAll("passwords") Optional<String> password,
            @ForAll @IntRange(max = 999_999_999) int database,
            @ForAll boolean encodeAll) {
        String name = user.filter(any -> password.isPresent()).orElse(null);
        // A zone's '%' may stand as it is, unless it would be read as a number.
        String shown = host.contains("%25") ? host.replace("%", "%25") : host;
        String server = shown.contains(":") ? "[" + shown + "]" : shown;
        String address = "redis://"
                + password.map(secret ->
                                encode(name == null ? "" : name, encodeAll) + ":" + encode(secret, encodeAll) + "@")
                        .orElse("")
                + server + ":" + port + "/" + database;

        RedisUri read = RedisUri.parse(address);

        assertThat(read).isEqualTo(new RedisUri(new Target.Host(host, port), name, password.orElse(null), database));
        assertThat(read.toString())
                .endsWith((host.contains(":") ? "[" + host.replace("%", "%25") + "]" : host) + ":" + port + "/"
                        + database);
    }

    /** What an address shows of itself, without its secrets, is an address of the same server. */
    @Property(tries = 300)
    void anAddressWithoutSecretsIsReadFromItsText(
            @ForAll("hosts") String host,
            @ForAll @IntRange(min = 1, max = 65_535) int port,
            @ForAll @IntRange(max = 999_999_999) int database) {
        RedisUri uri = new RedisUri(new Target.Host(host, port), null, null, database);

        assertThat(RedisUri.parse(uri.toString())).isEqualTo(uri);
    }

    @Provide
    Arbitrary<String> hosts() {
        Arbitrary<String> names = Arbitraries.strings()
                .withCharRange('a', 'z')
                .withCharRange('A', 'Z')
                .withCharRange('0', '9')
                .withChars('.', '-', '_')
                .ofMinLength(1)
                .ofMaxLength(30);
        Arbitrary<String> addresses =
                Arbitraries.of("::1", "fe80::1%eth0", "fe80::1%25", "2001:db8::ff:1", "::ffff:127.0.0.1");
        return Arbitraries.oneOf(names, addresses);
    }

    /** Of any characters but white space and control characters, which no server takes in a user. */
    @Provide
    Arbitrary<Optional<String>> users() {
        return Arbitraries.strings()
                .withChars("abc:@/?#[]%+é€".toCharArray())
                .ofMinLength(1)
                .ofMaxLength(10)
                .optional();
    }

    @Provide
    Arbitrary<Optional<String>> passwords() {
        return Arbitraries.strings()
                .all()
                .ofMinLength(1)
                .ofMaxLength(20)
                .filter(text -> new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).equals(text))
                .optional();
    }

    /** Writes every byte as its number, or only what an address can't hold as it is. */
    private static String encode(String text, boolean all) {
        StringBuilder encoded = new StringBuilder();
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = each > ' ' && each < 127 && "%/?#@:".indexOf(each) < 0;
            encoded.append(plain && !all ? Character.toString(each) : String.format("%%%02x", each));
        }
        return encoded.toString();
    }
}
