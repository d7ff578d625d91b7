package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.netty.resp.RespDecoder;
import io.holdfast.lock.netty.resp.RespLimits;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The texts are what Redis 6.2, 7.0, 7.2 and Valkey 8 really say. */
class ErrorRepliesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LOADING Redis is loading the dataset in memory | LOADING",
                "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE. | BUSY",
                "MOVED 3999 127.0.0.1:6381 | MOVED",
                "ASK 3999 127.0.0.1:6381 | ASK",
                "CROSSSLOT Keys in request don't hash to the same slot | CROSSSLOT",
                "ERR Error running script (call to f_6f1): @user_script:1: @user_script: 1: -MOVED 3999 h:1 | MOVED",
                "READONLY You can't write against a read only replica. | READONLY",
                "READONLY You can't write against a read only replica. script: 6f1, on @user_script:1. | READONLY",
                "ERR Error running script (call to f_6f1): @user_script:1: @user_script: 1: -READONLY You can't write"
                        + " against a read only replica. | READONLY",
                "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'. | MASTERDOWN",
                "NOREPLICAS Not enough good replicas to write. script: 6f1, on @user_script:2. | NOREPLICAS",
                "ERR Script attempted to access a non local key in a cluster node script: 4bf3, on @user_script:1. | TRYAGAIN",
                "TRYAGAIN Multiple keys request during rehashing of slot | TRYAGAIN",
                "CLUSTERDOWN Hash slot not served | CLUSTERDOWN",
                "ERR max number of clients reached | MAXCLIENTS",
                "ERR max number of clients + cluster connections reached | MAXCLIENTS",
                "NOAUTH Authentication required. | NOAUTH",
                "WRONGPASS invalid username-password pair or user is disabled. | WRONGPASS",
                "NOPERM this user has no permissions to run the 'evalsha' command | NOPERM",
                "NOPERM this user has no permissions to access one of the keys used as arguments | NOPERM",
                "ERR The user executing the script can't run this command or subcommand script: 6f1, on"
                        + " @user_script:1. | NOPERM",
                "ERR Error running script (call to f_6f1): @user_script:1: -NOPERM The user executing the script can't"
                        + " run this command or subcommand | NOPERM",
                "ERR ACL failure in script: User ann has no permissions to run the 'hset' command script: 6f1, on"
                        + " @user_script:1. | NOPERM",
                "WRONGTYPE Operation against a key holding the wrong kind of value script: 6f1, on @user_script:1."
                        + " | WRONGTYPE",
                "ERR Error running script (call to f_6f1): @user_script:1: WRONGTYPE Operation against a key holding"
                        + " the wrong kind of value | WRONGTYPE",
                "OOM command not allowed when used memory > 'maxmemory'. script: 6f1, on @user_script:1. | OOM",
                "ERR Error running script (call to f_6f1): @user_script:1: @user_script: 1: -OOM command not allowed"
                        + " when used memory > 'maxmemory'. | OOM",
                "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist. | MISCONF",
                "NOSCRIPT No matching script. Please use EVAL. | SCRIPT_MISSING",
                "ERR bad lua script for redis cluster, all the keys that the script uses should be passed using the KEYS"
                        + " array, and KEYS should not be in expression | SCRIPT_REFUSED",
                "ERR for redis cluster, eval/evalsha number of keys can't be negative or zero | SCRIPT_REFUSED",
                "ERR Lua scripts without any input keys are not supported. | SCRIPT_REFUSED",
                "ERR This Redis command is not allowed from script script: 6f1, on @user_script:13. | SCRIPT_REFUSED",
                "ERR user_script:1: attempt to index a nil value script: 6f1, on @user_script:1. | SERVER_ERROR",
                "ERR | SERVER_ERROR"
            })
    void meansTheSameInEveryVersion(String text, Kind kind) {
        Fault fault = ErrorReplies.fault("h:1", error(text));
        assertThat(fault.kind()).isEqualTo(kind);
        assertThat(fault.maybeApplied()).isEqualTo(text.contains("non local key"));
        assertThat(fault.node()).isEqualTo("h:1");
    }

    /** Providers have words of their own for what they leave out. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ERR unknown command `CONFIG`, with args beginning with: `GET`, | true",
                "ERR Command is not available: 'CONFIG'. See https://provider.example/docs | true",
                "ERR command not available | true",
                "ERR This command is not allowed | true",
                "ERR command 'client' not support for normal user | true",
                "ERR DEBUG command not allowed. If the option is set to local, connect from there. | true",
                "ERR command is not permitted on this plan | true",
                "ERR syntax error | false",
                "NOPERM this user has no permissions to run the 'config' command | false",
                "OOM command not allowed when used memory > 'maxmemory'. | false",
                "ERR Error running script (call to f_6f1): @user_script:1: @user_script: 1: -OOM command not allowed"
                        + " when used memory > 'maxmemory'. | false",
                "ERR This Redis command is not allowed from script script: 6f1, on @user_script:1. | false",
                "ERR Lua scripts without any input keys are not supported. | false",
                "NOSCRIPT No matching script. Please use EVAL. | false"
            })
    void aCommandThatIsNotOfferedIsToldByWords(String text, boolean isAbsent) {
        assertThat(ErrorReplies.isAbsent(error(text))).isEqualTo(isAbsent);
    }

    @Test
    void doesNotRepeatWhatTheServerQuotes() {
        RespValue error = error("ERR unknown command `HELLO`, with args beginning with: `3`, `AUTH`, `ann`, `secret`,");
        assertThat(ErrorReplies.detail(error)).isEqualTo("ERR unknown command `HELLO`");
    }

    @Test
    void staysShortAndOnOneLine() {
        String detail = ErrorReplies.detail(bulkError("ERR first\nsecond" + "x".repeat(1_000)));
        assertThat(detail).startsWith("ERR first\\u000asecond").endsWith("...").hasSizeLessThan(320);
    }

    private static RespValue error(String text) {
        return decode("-" + text + "\r\n");
    }

    private static RespValue bulkError(String text) {
        return decode("!" + text.length() + "\r\n" + text + "\r\n");
    }

    private static RespValue decode(String wire) {
        return Objects.requireNonNull(
                new RespDecoder(RespLimits.DEFAULT).decode(Unpooled.copiedBuffer(wire, StandardCharsets.UTF_8)));
    }
}
