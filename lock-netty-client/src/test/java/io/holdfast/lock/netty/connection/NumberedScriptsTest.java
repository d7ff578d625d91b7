package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A script can't tell that its answer is numbered, and its caller can't either. */
@RedisTest
class NumberedScriptsTest {

    private TestNode node;

    @BeforeEach
    void connect(RedisServer server) {
        node = TestNode.connect(server.url());
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aScriptSeesItsOwnArgumentsOnly() {
        assertThat(run("return #ARGV .. ' ' .. ARGV[#ARGV] .. ' ' .. #KEYS .. ' ' .. KEYS[1]"))
                .isEqualTo("1 argument 1 key");
    }

    @Test
    void noAnswerIsNull() {
        assertThat(run("return nil")).isEqualTo("nil");
        assertThat(run("return false")).isEqualTo("nil");
        assertThat(run("local nothing")).isEqualTo("nil");
        assertThat(run("return redis.call('GET', 'missing')")).isEqualTo("nil");
    }

    @Test
    void zeroIsNotNull() {
        assertThat(run("return 0")).isEqualTo("0");
    }

    @Test
    void aCommentAtTheEndEndsThere() {
        assertThat(run("return 'a' -- nothing")).isEqualTo("a");
    }

    @Test
    void theLineInAnErrorIsTheScriptsOwn() {
        assertThat(run("local a\nlocal b\nreturn redis.call('NO-SUCH')").toString())
                .containsPattern("user_script: ?3[:,.]");
    }

    @Test
    void oneFormIsMadeOfAScript() {
        NumberedScripts scripts = new NumberedScripts();
        assertThat(scripts.of(TestNode.ECHO)).isSameAs(scripts.of(TestNode.ECHO));
        assertThat(scripts.of(TestNode.ECHO).sha1()).isNotEqualTo(TestNode.ECHO.sha1());
        assertThat(scripts.of(TestNode.ECHO)).hasToString("echo");
    }

    private Object run(String source) {
        return node.send(new Script("tried", source), "key", "argument", Duration.ofSeconds(10))
                .await();
    }
}
