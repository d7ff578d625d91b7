package io.holdfast.lock.netty.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses as users write them, well and badly. */
class RedisUriTest {

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
        "redis://[fe80::1%25eth0]:7000,       fe80::1%eth0, 7000,,,0",
        "redis://[fe80::1%eth0],              fe80::1%eth0, 6379,,,0",
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
        assertThat(RedisUri.parse(text)).isEqualTo(new RedisUri(new Target.Host(host, port), user, password, database));
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
        assertThat(RedisUri.parse(text)).isEqualTo(new RedisUri(new Target.SocketFile(path), user, password, database));
    }

    @Test
    void aPathIsAsLongAsASocketsAddressAllows() {
        assertThat(RedisUri.parse("unix:///" + "x".repeat(106)).target().node()).hasSize(107);
        assertThatThrownBy(() -> RedisUri.parse("unix:///" + "x".repeat(107))).hasMessageContaining("107 bytes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                            | it does not begin with redis://",
                "localhost:6379                | it does not begin with redis://",
                "redis:localhost               | it does not begin with redis://",
                "' redis://h'                  | it begins or ends with white space",
                "'redis://h '                  | it begins or ends with white space",
                "http://h                      | its scheme is unknown",
                "rediss://h                    | rediss:// (TLS) is not supported yet",
                "redis+unix:///tmp/redis.sock  | the scheme of a Unix socket is unix://",
                "unix://                       | the path of a Unix socket must be absolute: unix:///path",
                "unix://tmp/redis.sock         | the path of a Unix socket must be absolute: unix:///path",
                "unix://:pw@                   | the path of a Unix socket must be absolute: unix:///path",
                "unix:///                      | the path of a Unix socket names a directory",
                "unix:///run/                  | the path of a Unix socket names a directory",
                "unix:///a%00b                 | the path of a Unix socket may have 107 bytes, none of them zero",
                "unix:///s?db=2                | what follows '?' must be database= and a number from 0 to 999999999",
                "unix:///s?database=           | what follows '?' must be database= and a number from 0 to 999999999",
                "unix:///s?database=1&database=2 | what follows '?' must be database= and a number from 0 to 999999999",
                "unix:///s#2                   | '#' means nothing here",
                "redis+sentinel://h            | Sentinel is not supported yet",
                "redis://                      | the host is empty",
                "redis:///1                    | the host is empty",
                "redis://:6379                 | the host is empty",
                "redis://:pw@                  | the host is empty",
                "redis://:pw@:1                | the host is empty",
                "redis://h:                    | the port must be a number from 1 to 65535",
                "redis://h:0                   | the port must be a number from 1 to 65535",
                "redis://h:65536               | the port must be a number from 1 to 65535",
                "redis://h:-1                  | the port must be a number from 1 to 65535",
                "redis://h:x                   | the port must be a number from 1 to 65535",
                "redis://h:99999999999999      | the port must be a number from 1 to 65535",
                "redis://::1                   | the host holds more than one ':'; an IPv6 address must be in brackets",
                "redis://[::1                  | a host that begins with '[' must end with ']', and only :port may follow",
                "redis://[::1]6379             | a host that begins with '[' must end with ']', and only :port may follow",
                "redis://[]                    | what is in brackets is not an IPv6 address",
                "redis://[127.0.0.1]           | what is in brackets is not an IPv6 address",
                "redis://a,b                   | the host may hold letters and digits of ASCII, '.', '-' and '_' only",
                "redis://a b                   | the host may hold letters and digits of ASCII, '.', '-' and '_' only",
                "redis://bücher                | the host may hold letters and digits of ASCII, '.', '-' and '_' only",
                "redis://h/x                   | the database must be a number from 0 to 999999999",
                "redis://h/-1                  | the database must be a number from 0 to 999999999",
                "redis://h/1/                  | the database must be a number from 0 to 999999999",
                "redis://h/9999999999          | the database must be a number from 0 to 999999999",
                "redis://h?db=1                | '?' and '#' mean nothing here; what can be configured is in ClientOptions",
                "redis://h/1#x                 | '?' and '#' mean nothing here; what can be configured is in ClientOptions",
                "redis://app:@h                | the password is empty",
                "redis://:@h                   | the password is empty",
                "redis://a%20b:pw@h            | the user holds white space or control characters",
            })
    void namesTheFault(String text, String fault) {
        assertThatThrownBy(() -> RedisUri.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("malformed address: " + fault
                        + " (expected: redis://[[user]:password@]host[:port][/database]"
                        + " or unix://[[user]:password@]/path[?database=number])");
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
                "rediss://app:canary@h",
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
        String pieces = "redis://:@[]%/?#.-_a0é \u0000\ud800";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text =
                    new StringBuilder(List.of("redis://", "unix://", "").get(random.nextInt(3)));
            for (int length = random.nextInt(12); length > 0; length--) {
                text.append(pieces.charAt(random.nextInt(pieces.length())));
            }
            try {
                RedisUri uri = RedisUri.parse(text.toString());
                assertThat(uri.target().node()).isNotEmpty();
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageStartingWith("malformed address: ");
            }
        }
    }
}
