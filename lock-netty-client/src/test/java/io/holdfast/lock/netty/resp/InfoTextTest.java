package io.holdfast.lock.netty.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class InfoTextTest {

    private static final String INFO =
            """
            # Server\r
            redis_version:7.0.15\r
            run_id: abc \r
            empty:\r
            :nameless\r
            no colon\r
            run_id:another\r
            slave0:ip=10.0.0.2,port=6379,state=online,offset=1,lag=0\r
            slave1:ip=::1,port=6380,state=wait_bgsave\r
            slave3:ip=h,port=1\r
            last:1""";

    @Test
    void aFieldIsTheFirstLineThatBeginsWithIt() {
        assertThat(InfoText.field(INFO, "redis_version:")).isEqualTo("7.0.15");
        assertThat(InfoText.field(INFO, "run_id:")).isEqualTo("abc");
        assertThat(InfoText.field(INFO, "empty:")).isEmpty();
        assertThat(InfoText.field(INFO, "version:")).isEmpty();
        assertThat(InfoText.field(INFO, "last:")).isEqualTo("1");
        assertThat(InfoText.field(null, "last:")).isEmpty();
        assertThat(InfoText.field("id=3 addr=1.2.3.4:5 laddr=6", "addr=", ' ')).isEqualTo("1.2.3.4:5");
    }

    @Test
    void allFieldsSayTheSameAsEach() {
        Map<String, String> fields = InfoText.fields(INFO);
        assertThat(fields)
                .containsEntry("redis_version", "7.0.15")
                .containsEntry("run_id", "abc")
                .containsEntry("empty", "")
                .containsEntry("last", "1")
                .doesNotContainKey("");
        assertThat(fields).hasSize(7);
        assertThat(InfoText.fields(null)).isEmpty();
        assertThat(InfoText.fields("\n\n:\n")).isEmpty();
    }

    @Test
    void replicasAreThoseOfOneRow() {
        assertThat(InfoText.replicas(InfoText.fields(INFO)))
                .extracting(words -> InfoText.word(words, "ip") + " " + InfoText.word(words, "port") + " "
                        + InfoText.word(words, "state"))
                .containsExactly("10.0.0.2 6379 online", "::1 6380 wait_bgsave");
        assertThat(InfoText.replicas(Map.of())).isEmpty();
    }
}
