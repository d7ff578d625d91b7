package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RespScannerTest {
    private static final List<String> MESSAGES = List.of(
            "+OK\r\n",
            "-ERR no\r\n",
            ":12\r\n",
            "$-1\r\n",
            "$0\r\n\r\n",
            "$5\r\na\r\nb\n\r\n",
            "*-1\r\n",
            "*0\r\n",
            "*2\r\n$3\r\nGET\r\n$1\r\na\r\n",
            "*3\r\n*1\r\n:1\r\n*0\r\n*2\r\n+a\r\n$1\r\nb\r\n",
            ">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\n0\r\n",
            "%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n_\r\n",
            "|1\r\n+ttl\r\n:3\r\n%1\r\n#t\r\n,1.5\r\n",
            "~1\r\n=7\r\ntxt:abc\r\n",
            "PING\r\n");

    /** However the stream is cut into pieces, messages end at the same places. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 11, 1_000})
    void findsTheEndOfEveryMessage(int pieceBytes) {
        byte[] stream = String.join("", MESSAGES).getBytes(StandardCharsets.ISO_8859_1);
        RespScanner scanner = new RespScanner();
        List<String> found = new ArrayList<>();
        StringBuilder begun = new StringBuilder();
        for (int at = 0; at < stream.length; at += pieceBytes) {
            byte[] piece = Arrays.copyOfRange(stream, at, Math.min(stream.length, at + pieceBytes));
            int from = 0;
            for (int end = scanner.next(piece, 0); end >= 0; end = scanner.next(piece, from)) {
                found.add(begun + text(piece, from, end));
                begun.setLength(0);
                from = end;
            }
            begun.append(text(piece, from, piece.length));
        }
        assertThat(found).isEqualTo(MESSAGES);
        assertThat(begun).isEmpty();
    }

    @Test
    void knowsPushesAndBoundaries() {
        RespScanner scanner = new RespScanner();
        assertThat(scanner.isAtBoundary()).isTrue();
        byte[] push = ">1\r\n+a\r\n".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(scanner.next(Arrays.copyOf(push, 5), 0)).isEqualTo(-1);
        assertThat(scanner.isAtBoundary()).isFalse();
        assertThat(scanner.next(push, 5)).isEqualTo(push.length);
        assertThat(scanner.isPush()).isTrue();
        assertThat(scanner.next("+a\r\n".getBytes(StandardCharsets.ISO_8859_1), 0))
                .isEqualTo(4);
        assertThat(scanner.isPush()).isFalse();
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
