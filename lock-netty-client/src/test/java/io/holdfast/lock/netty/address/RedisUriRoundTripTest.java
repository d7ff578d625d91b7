package io.holdfast.lock.netty.address;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Every server has an address, and its address leads to it: whatever the host, the port, the user and the password. */
class RedisUriRoundTripTest {

    @Property(tries = 1_000)
    void anAddressIsReadAsItWasMade(
            @ForAll("targets") Target target,
            @ForAll boolean tls,
            @ForAll("users") Optional<String> user,
            @ForAll("passwords") Optional<String> password,
            @ForAll @IntRange(max = 999_999_999) int database,
            @ForAll boolean encodeAll) {
        String name = user.filter(any -> password.isPresent()).orElse(null);
        String who = password.map(
                        secret -> encode(name == null ? "" : name, encodeAll) + ":" + encode(secret, encodeAll) + "@")
                .orElse("");

        RedisUri read = RedisUri.parse(address(target, tls, who, database));

        assertThat(read).isEqualTo(new RedisUri(target, tls, name, password.orElse(null), database));
        assertThat(read.toString()).endsWith(address(target, tls, "", database).replaceFirst(".*://", ""));
        password.ifPresent(secret -> assertThat(read.toString()).contains(":***@"));
    }

    /** What an address shows of itself, without its secrets, is an address of the same server. */
    @Property(tries = 300)
    void anAddressWithoutSecretsIsReadFromItsText(
            @ForAll("targets") Target target, @ForAll boolean tls, @ForAll @IntRange(max = 999_999_999) int database) {
        RedisUri uri = new RedisUri(target, tls, null, null, database);

        assertThat(RedisUri.parse(uri.toString())).isEqualTo(uri);
    }

    private static String address(Target target, boolean tls, String who, int database) {
        String scheme = tls ? "rediss" : "redis";
        if (target instanceof Target.Sentinels group) {
            return scheme + "-sentinel://" + who + list(group.seeds()) + "/" + group.master() + "/" + database;
        }
        if (target instanceof Target.Replicas group) {
            return scheme + "-replicas://" + who + list(group.seeds()) + "/" + database;
        }
        return scheme + "://" + who + list(List.of((Target.Host) target)) + "/" + database;
    }

    private static String list(List<Target.Host> hosts) {
        return hosts.stream()
                .map(each -> (each.host().contains(":") ? "[" + each.host() + "]" : each.host()) + ":" + each.port())
                .collect(Collectors.joining(","));
    }

    @Provide
    Arbitrary<Target> targets() {
        Arbitrary<Target.Host> host = Combinators.combine(
                        hosts(), Arbitraries.integers().between(1, 65_535))
                .as(Target.Host::new);
        Arbitrary<List<Target.Host>> seeds = host.list()
                .ofMinSize(1)
                .ofMaxSize(5)
                .uniqueElements(each -> each.toString().toLowerCase(Locale.ROOT));
        return Arbitraries.oneOf(
                host, Combinators.combine(seeds, names()).as(Target.Sentinels::new), seeds.map(Target.Replicas::new));
    }

    @Provide
    Arbitrary<String> hosts() {
        return Arbitraries.oneOf(names(), Arbitraries.of("::1", "fe80::1", "2001:db8::ff:1", "::ffff:127.0.0.1"));
    }

    private static Arbitrary<String> names() {
        return Arbitraries.strings()
                .withCharRange('a', 'z')
                .withCharRange('A', 'Z')
                .withCharRange('0', '9')
                .withChars('.', '-', '_')
                .ofMinLength(1)
                .ofMaxLength(30);
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
            boolean plain = each > ' ' && each < 127 && "%/?#@:,".indexOf(each) < 0;
            encoded.append(plain && !all ? Character.toString(each) : String.format("%%%02x", each));
        }
        return encoded.toString();
    }
}
