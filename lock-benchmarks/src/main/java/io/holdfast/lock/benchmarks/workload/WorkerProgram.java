package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.HoldMode;
import io.holdfast.lock.benchmarks.peer.Peer;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.PeerLock;
import io.holdfast.lock.benchmarks.peer.Peers;
import io.holdfast.lock.benchmarks.peer.Transport;
import io.holdfast.lock.benchmarks.result.Sample;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** A process whose threads fight with those of other processes for one lock, for so many milliseconds as it is told. */
final class WorkerProgram {

    private WorkerProgram() {}

    public static void main(String[] arguments) throws IOException {
        PeerKind kind = PeerKind.valueOf(arguments[0]);
        int threads = Integer.parseInt(arguments[3]);
        Peer peer = Peers.connect(kind, List.of(arguments[1]), Transport.valueOf(arguments[2]));
        Crew crew = new Crew();
        List<ClosedLoop.Operation> parties = IntStream.range(0, threads)
                .mapToObj(thread -> peer.lock("processes", HoldMode.LEASE))
                .<ClosedLoop.Operation>map(lock -> marks -> once(lock))
                .toList();
        System.out.println("ready " + kind);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            Sample sample = ClosedLoop.run(crew, parties, new Round(0, Long.parseLong(order), false), List.of());
            System.out.println("served "
                    + Arrays.stream(sample.served()).mapToObj(Long::toString).collect(Collectors.joining(",")));
            System.out.println("latency " + encode(sample.latency()));
        }
        Runtime.getRuntime().halt(0);
    }

    private static void once(PeerLock lock) {
        lock.lock();
        lock.unlock();
    }

    private static String encode(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }
}
