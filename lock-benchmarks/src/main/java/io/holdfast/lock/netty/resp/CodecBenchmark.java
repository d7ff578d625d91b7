package io.holdfast.lock.netty.resp;

import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Writing a script call, and reading an answer: what every command goes through. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {

    private final ByteBuf out = Unpooled.buffer(1024);
    private final ScriptArgs args = new ScriptArgs();
    private final ScriptCall acquire = new Acquire();
    private final RespDecoder decoder = new RespDecoder(RespLimits.DEFAULT);
    private final ByteBuf granted = ascii("*2\r\n:1234567890\r\n*2\r\n:1\r\n:1700000000123456\r\n");
    private final ByteBuf refused = ascii("*2\r\n:1234567890\r\n*2\r\n:0\r\n:29993\r\n");

    private static ByteBuf ascii(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    /** An acquire as the engine sends it: two keys, a field, a lease and a flag. */
    private static final class Acquire extends ScriptCall {

        private final byte[] key = "holdfast:{stock:42}".getBytes(StandardCharsets.US_ASCII);
        private final byte[] clock = "holdfast:token:{a1b}".getBytes(StandardCharsets.US_ASCII);
        private final byte[] field =
                "01234567-89ab-cdef-0123-456789abcdef:17:123456".getBytes(StandardCharsets.US_ASCII);

        Acquire() {
            super(new Script("acquire", "return 1"), 0, 0, 0);
        }

        @Override
        public void encode(Args target) {
            target.key(key).key(clock).arg(field).arg(30_000).arg(1);
        }

        @Override
        public void onOverdue() {}

        @Override
        public void onReply(Reply reply) {}

        @Override
        public void onFault(Fault fault) {}
    }

    @Benchmark
    public int encodeAcquire() {
        out.clear();
        args.evalsha(out, acquire.script, acquire, 1_234_567_890);
        return out.writerIndex();
    }

    @Benchmark
    public Object decodeGranted() {
        granted.readerIndex(0);
        return decoder.decode(granted, true);
    }

    @Benchmark
    public Object decodeRefused() {
        refused.readerIndex(0);
        return decoder.decode(refused, true);
    }
}
