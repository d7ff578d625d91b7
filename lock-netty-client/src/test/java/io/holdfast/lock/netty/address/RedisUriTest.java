package io.holdfast.lock.netty.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses as users write them, well and badly. */
class RedisUriTest {

    private static final Map<String, String> FORMS = Map.of(
            "redis", "host[:port][/database]",
            "rediss", "host[:port][/database]",
            "unix", "/path[?database=number]",
            "redis-sentinel", "host[:port],host[:port]/master[/database]",
            "rediss-sentinel", "host[:port],host[:port]/master[/database]",
            "redis-replicas", "host[:port],host[:port][/database]",
            "rediss-replicas", "host[:port],host[:port][/database]",
            "redis-cluster", "host[:port],host[:port][/database]");

    @ParameterizedTest
    @CsvSource({
        "redis://127.0.0.1,                   127.0.0.1,    6379,,,0",
        "redis://127.0.0.1:7000,              127.0.0.1,    7000,,,0",
        "redis://localhost/,                  localhost,    6379,,,0",
        "redis://localhost/3,                 localhost,    6379,,,3",
        "redis://localhost:65535/999999999,   localhost,    65535,,,999999999",
        "REDIS://localhost,                   localhost,    6379,,,0",
        "redis://my_redis.some-where_1:6380,  my_redis.some-where_1, 6380,,,0",
        "redis://a,                           a,            6379,,,0",
        "redis://[::1],                       ::1,          6379,,,0",
        "redis://[::1]:7000/1,                ::1,          7000,,,1",
        "redis://:pw@h,                       h,            6379,,pw,0",
        "redis://app:pw@h:1/2,                h,            1,app,pw,2",
        "redis://app:p:w@h,                   h,            6379,app,p:w,0",
        "redis://app:p@w@h,                   h,            6379,app,p@w,0",
        "redis://app:p+w@h,                   h,            6379,app,p+w,0",
        "redis://a%40b:p%2Fw%3a%25%C3%A9@h,   h,            6379,a@b,p/w:%é,0",
        "redis://:pé%C3%A9@h,                 h,            6379,,péé,0",
        "redis://:pw@[::1]:7000/1,            ::1,          7000,,pw,1",
    })
    void readsEveryPart(String text, String host, int port, String user, String password, int database) {
        assertThat(RedisUri.parse(text))
                .isEqualTo(new RedisUri(new Target.Host(host, port), false, user, password, database));
    }

    @ParameterizedTest
    @CsvSource({
        "unix:///run/redis.sock,              /run/redis.sock,,,0",
        "UNIX:///s?database=2,                /s,,,2",
        "unix://:pw@/s,                       /s,,pw,0",
        "unix://app:p%2Fw@/a%20b/%C3%A9?database=7, /a b/é,app,p/w,7",
        "unix:///C:/a/s,                      /C:/a/s,,,0",
    })
    void readsEveryPartOfAUnixSocket(String text, String path, String user, String password, int database) {
        assertThat(RedisUri.parse(text))
                .isEqualTo(new RedisUri(new Target.SocketFile(path), false, user, password, database));
    }

    @Test
    void aPathIsAsLongAsASocketsAddressAllows() {
        assertThat(RedisUri.parse("unix:///" + "x".repeat(106)).target().node()).hasSize(107);
        assertThatThrownBy(() -> RedisUri.parse("unix:///" + "x".repeat(107))).hasMessageContaining("107 bytes");
    }

    @ParameterizedTest
    @CsvSource({
        "rediss://h,                                  rediss://h:6379/0",
        "valkey://h/1,                                redis://h:6379/1",
        "VALKEYS://app:canary@h,                      rediss://app:***@h:6379/0",
        "'valkey-cluster://h1,h2',                    'redis-cluster://h1:6379,h2:6379'",
        "'redis-cluster://h1,h2/3',                   'redis-cluster://h1:6379,h2:6379/3'",
        "'redis-cluster://h1,h2/0',                   'redis-cluster://h1:6379,h2:6379'",
        "valkeys-sentinel://h1/m,                     rediss-sentinel://h1:26379/m/0",
        "valkey-replicas://h1,                        redis-replicas://h1:6379/0",
        "REDISS://app:canary@h:1/2,                   rediss://app:***@h:1/2",
        "redis-sentinel://h1/m,                       redis-sentinel://h1:26379/m/0",
        "'redis-sentinel://:canary@h1,h2:1,[::1]/my.master-1_x/3', 'redis-sentinel://:***@h1:26379,h2:1,[::1]:26379/my.master-1_x/3'",
        "'rediss-sentinel://app:can%2Cary@h1,h2/m/',  'rediss-sentinel://app:***@h1:26379,h2:26379/m/0'",
        "redis-sentinel://h1/0,                       redis-sentinel://h1:26379/0/0",
        "redis-replicas://h1,                         redis-replicas://h1:6379/0",
        "'redis-replicas://h1,h1:1,h2/4',             'redis-replicas://h1:6379,h1:1,h2:6379/4'",
        "'rediss-replicas://:canary@h1,h2',           'rediss-replicas://:***@h1:6379,h2:6379/0'",
    })
    void readsListsOfHostsAndTls(String text, String shown) {
        assertThat(RedisUri.parse(text)).hasToString(shown);
    }

    @Test
    void readsEveryPartOfASentinelAddress() {
        assertThat(RedisUri.parse("rediss-sentinel://app:p%2Cw@h1,h2:1/m/2"))
                .isEqualTo(new RedisUri(
                        new Target.Sentinels(List.of(new Target.Host("h1", 26379), new Target.Host("h2", 1)), "m"),
                        true,
                        "app",
                        "p,w",
                        2));
    }

    @Test
    void aNameIsAsLongAsTheNameSystemAllows() {
        assertThat(RedisUri.parse("redis://" + "h".repeat(253)).target().node()).hasSize(258);
        assertThatThrownBy(() -> RedisUri.parse("redis://" + "h".repeat(254)))
                .hasMessageContaining("the host is longer than 253 characters");
        assertThatThrownBy(() -> RedisUri.parse("redis-sentinel://h/" + "m".repeat(254)))
                .hasMessageContaining("the master's name is longer than 253 characters");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                              | it does not begin with redis://",
                "localhost:6379                  | it does not begin with redis://",
                "redis:localhost                 | it does not begin with redis://",
                "' redis://h'                    | it begins or ends with white space",
                "'redis://h '                    | it begins or ends with white space",
                "http://h                        | its scheme is unknown",
                "redis+unix:///tmp/redis.sock    | the scheme of a Unix socket is unix://",
                "unix://                         | the path of a Unix socket must be absolute: unix:///path",
                "unix://tmp/redis.sock           | the path of a Unix socket must be absolute: unix:///path",
                "unix://:pw@                     | the path of a Unix socket must be absolute: unix:///path",
                "unix:///                        | the path of a Unix socket names a directory",
                "unix:///run/                    | the path of a Unix socket names a directory",
                "unix:///a%00b                   | the path of a Unix socket may have 107 bytes, none of them zero",
                "unix:///s?db=2                  | what follows '?' must be database= and a number from 0 to 999999999",
                "unix:///s?database=             | what follows '?' must be database= and a number from 0 to 999999999",
                "unix:///s?database=1&database=2 | there are two databases",
                "unix:///s#2                     | '#' means nothing here",
                "redis://                        | the host is empty",
                "redis:///1                      | the host is empty",
                "redis://:6379                   | the host is empty",
                "redis://:pw@                    | the host is empty",
                "redis://:pw@:1                  | the host is empty",
                "redis://h:                      | the port must be a number from 1 to 65535",
                "redis://h:0                     | the port must be a number from 1 to 65535",
                "redis://h:65536                 | the port must be a number from 1 to 65535",
                "redis://h:-1                    | the port must be a number from 1 to 65535",
                "redis://h:x                     | the port must be a number from 1 to 65535",
                "redis://h:99999999999999        | the port must be a number from 1 to 65535",
                "redis://::1                     | the host holds more than one ':'; an IPv6 address must be in brackets",
                "redis://[::1                    | a host that begins with '[' must end with ']', and only :port may follow",
                "redis://[::1]6379               | a host that begins with '[' must end with ']', and only :port may follow",
                "redis://[]                      | what is in brackets is not an IPv6 address",
                "redis://[127.0.0.1]             | what is in brackets is not an IPv6 address",
                "redis://a,b                     | several hosts are for redis-sentinel://, redis-replicas:// and redis-cluster:// only",
                "redis://a b                     | the host may hold letters and digits of ASCII, '.', '-' and '_' only",
                "redis://bücher                  | the host may hold letters and digits of ASCII, '.', '-' and '_' only",
                "redis://h/x                     | the database must be a number from 0 to 999999999",
                "redis://h/-1                    | the database must be a number from 0 to 999999999",
                "redis://h/1/                    | the database must be a number from 0 to 999999999",
                "redis://h/9999999999            | the database must be a number from 0 to 999999999",
                "redis://h?db=1                  | '?' and '#' mean nothing here; what can be configured is in ClientOptions",
                "redis://h/1#x                   | '?' and '#' mean nothing here; what can be configured is in ClientOptions",
                "redis://app:@h                  | the password is empty",
                "redis://:@h                     | the password is empty",
                "redis://a%20b:pw@h              | the user holds white space or control characters",
                "rediss+unix:///s                | a Unix socket has no TLS, and its scheme is unix://",
                "redis+sentinel://h/m            | the scheme of Sentinel is redis-sentinel://",
                "rediss+sentinel://h/m           | the scheme of Sentinel with TLS is rediss-sentinel://",
                "rediss://                       | the host is empty",
                "rediss:///run/redis.sock        | the host is empty; a Unix socket is unix:///path, and has no TLS",
                "rediss://h:0                    | the port must be a number from 1 to 65535",
                "redis://h/1/2                   | there are two databases",
                "redis://h/1?database=2          | '?' and '#' mean nothing here; what can be configured is in ClientOptions",
                "redis://[fe80::1%25eth0]        | an IPv6 address with a zone (%) can't be used; one without, or a name, can",
                "redis://[fe80::1%eth0]:7000     | an IPv6 address with a zone (%) can't be used; one without, or a name, can",
                "redis://app@h                   | there is no ':' before the '@'; a password without a user is written :password@",
                "redis://app:a@:b@h              | the password is there twice, or an '@' in it is not written %40",
                "redis://:a@app:b@h              | the password is there twice, or an '@' in it is not written %40",
            })
    void namesTheFault(String text, String fault) {
        assertFault(text, fault);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis-sentinel://                          | the host is empty",
                "redis-sentinel:///m                        | the host is empty",
                "redis-sentinel://h                         | the master's name is missing",
                "redis-sentinel://h1,h2                     | the master's name is missing",
                "redis-sentinel://h/                        | the master's name is missing",
                "redis-sentinel://h//1                      | the master's name is missing",
                "redis-sentinel://h/my master               | the master's name may hold letters and digits of ASCII, '.', '-' and '_' only",
                "redis-sentinel://h/m%41                    | the master's name may hold letters and digits of ASCII, '.', '-' and '_' only",
                "redis-sentinel://h/m/x                     | the database must be a number from 0 to 999999999",
                "redis-sentinel://h/m/n                     | the database must be a number from 0 to 999999999",
                "redis-sentinel://h/m/1/2                   | there are two databases",
                "redis-sentinel://h/m?database=1            | '?' and '#' mean nothing here; what can be configured is in ClientOptions",
                "redis-sentinel://h1,,h2/m                  | a host of the list is empty",
                "redis-sentinel://h1,/m                     | a host of the list is empty",
                "redis-sentinel://,h1/m                     | a host of the list is empty",
                "redis-sentinel://h1, h2/m                  | the list of hosts holds white space",
                "redis-sentinel://h1 ,h2/m                  | the list of hosts holds white space",
                "redis-sentinel://h1,h2:26379,H1:26379/m    | the list of hosts has one of them twice",
                "redis-sentinel://[::1],[0:0:0:0:0:0:0:1]/m | the list of hosts has one of them twice",
                "redis-sentinel://h1:0,h2/m                 | the port must be a number from 1 to 65535",
                "redis-sentinel://h1,h2:65536/m             | the port must be a number from 1 to 65535",
                "redis-sentinel://h1,::1/m                  | the host holds more than one ':'; an IPv6 address must be in brackets",
                "redis-sentinel://h1,[fe80::1%eth0]/m       | an IPv6 address with a zone (%) can't be used; one without, or a name, can",
                "redis-sentinel://h1,h_ü/m                  | the host may hold letters and digits of ASCII, '.', '-' and '_' only",
                "redis-sentinel://app@h/m                   | there is no ':' before the '@'; a password without a user is written :password@",
                "redis-sentinel://app:@h/m                  | the password is empty",
                "redis-sentinel://:a@h1,:b@h2/m             | the password is there twice, or an '@' in it is not written %40",
                "redis-sentinel://:a@b@h/m                  | the password is there twice, or an '@' in it is not written %40",
                "redis-sentinel://h1:26379,:a@h2/m          | the user and the password stand before the first host; a ',' in them is percent-encoded",
                "rediss-sentinel://h                        | the master's name is missing",
                "redis-sentinel://h1,redis-sentinel://h2/m  | the scheme stands once, before the first host",
                "redis-cluster://h1:1,redis-cluster://h2:2  | the scheme stands once, before the first host",
                "redis-cluster://:a@h1,redis://:a@h2        | the scheme stands once, before the first host",
                "redis-cluster://h1//2                      | the database must be a number from 0 to 999999999",
                "redis-replicas://                          | the host is empty",
                "redis-replicas://h1,h1:6379                | the list of hosts has one of them twice",
                "redis-replicas://h1,h2/m                   | the database must be a number from 0 to 999999999",
                "redis-replicas://h1,h2/1/2                 | there are two databases",
                "redis-replicas://h1,h2 ,h3                 | the list of hosts holds white space",
                "rediss-replicas://h1,h2:x                  | the port must be a number from 1 to 65535",
            })
    void namesTheFaultOfAList(String text, String fault) {
        assertFault(text, fault);
    }

    private static void assertFault(String text, String fault) {
        int schemeEnd = text.indexOf("://");
        String form = FORMS.get(text.substring(0, Math.max(0, schemeEnd)));
        assertThatThrownBy(() -> RedisUri.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("malformed address: " + fault + " (expected: "
                        + (form == null || !text.strip().equals(text)
                                ? Scheme.ANY
                                : text.substring(0, schemeEnd) + "://[[user]:password@]" + form)
                        + ")");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://canary@h",
                "redis://app:canary",
                "redis://app:canary%@h",
                "redis://app:canary%zz@h",
                "redis://app:canary%ff@h",
                "redis://app:x/canary@h",
                "redis://app:x?canary@h",
                "redis://app:x#canary@h",
                "redis://app:x/canary",
                "redis://app:canary@h:x",
                "redis://app:canary@h/x",
                "redis://app:canary@",
                "redis://app:canary@ h",
                "redis://app:canary@[::1",
                "rediss:///canary",
                "redis-sentinel://app:canary@h",
                "redis-sentinel://app:canary@h1,:canary@h2/m",
                "redis-sentinel://h1:1,app:canary@h2/m",
                "redis-sentinel://app:x/canary@h/m",
                "redis-sentinel://h/canary canary",
                "redis-replicas://app:canary@h,h",
                "redis-replicas://canary@h",
                "redis://app:x@y:canary@h",
                "canary://h",
                "redis://h?password=canary",
                "redis//app:canary@h",
                "unix://app:canary@",
                "unix://app:x/canary@/s",
                "unix://app:canary@/s?database=canary",
                "unix:///s?password=canary",
            })
    void aComplaintNeverQuotesThePassword(String text) {
        assertThatThrownBy(() -> RedisUri.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("malformed address: ")
                .hasMessageNotContaining("canary")
                .hasNoCause();
    }

    @ParameterizedTest
    @CsvSource({
        "redis://:canary\ud800@h,        the password holds half of a surrogate pair",
        "redis://:canary%41\ud800@h,     the password holds half of a surrogate pair",
        "redis://app\udc00:canary%41@h,  the user holds half of a surrogate pair",
        "unix:///s%41\ud800,             the path holds half of a surrogate pair",
    })
    void aTextWithHalfACharacterIsRefusedSinceAnotherWouldBeSent(String text, String fault) {
        assertFault(text, fault);
    }

    @ParameterizedTest
    @CsvSource({
        "redis://h,                       redis://h:6379/0",
        "redis://:canary@h:1/2,           redis://:***@h:1/2",
        "redis://app:canary@[::1]:1/2,    redis://app:***@[::1]:1/2",
        "unix:///run/r.sock,              unix:///run/r.sock?database=0",
        "unix://app:canary@/s?database=2, unix://app:***@/s?database=2",
    })
    void showsAllButThePassword(String text, String shown) {
        assertThat(RedisUri.parse(text)).hasToString(shown);
    }

    @Test
    void anyTextIsReadOrRefused() {
        Random random = new Random(20240607);
        List<String> starts =
                List.of("", "redis://", "rediss://", "unix:///", "redis-sentinel://h", "redis-replicas://h");
        String pieces = "redis://:@[]%/?#.-_a0é, \u0000\ud800";
        for (int i = 0; i < 40_000; i++) {
            StringBuilder text = new StringBuilder(starts.get(random.nextInt(starts.size())));
            for (int length = random.nextInt(12); length > 0; length--) {
                text.append(pieces.charAt(random.nextInt(pieces.length())));
            }
            try {
                assertThat(RedisUri.parse(text.toString()).database()).isNotNegative();
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageStartingWith("malformed address: ");
            }
        }
    }
}
