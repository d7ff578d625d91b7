package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.tls.ClientTls;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a peer, which tell those protocols that most often listen where Redis was expected. No value of RESP
 * begins like them.
 */
final class FirstBytes {

    private static final Map<String, String> PROTOCOLS =
            Map.of("HTTP/", "HTTP", "<!DOC", "HTTP", "<html", "HTTP", "SSH-", "SSH", "\u0015\u0003", "TLS");

    private static final int MOST = 5;

    private final byte[] bytes = new byte[MOST];
    private int count;

    /** Looks at what has arrived, and leaves it where it is. */
    void hear(ByteBuf in) {
        int more = Math.min(MOST - count, in.readableBytes());
        in.getBytes(in.readerIndex(), bytes, count, more);
        count += more;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** What to say of a peer that has hung up without a word, and what it may miss; nothing of one that has said something. */
    String silence(@Nullable ClientTls tls) {
        if (!isEmpty()) {
            return "";
        }
        String guess = tls == null
                ? "; perhaps the peer expects TLS, or is a proxy that does not know HELLO"
                : tls.showsCertificate() ? "" : "; perhaps the peer wants a certificate of the client";
        return ", without a word" + guess;
    }

    /** The protocol that they are of; null if none is known that begins like them. */
    @Nullable
    String protocol() {
        String heard = heard();
        for (Map.Entry<String, String> known : PROTOCOLS.entrySet()) {
            if (heard.startsWith(known.getKey())) {
                return known.getValue();
            }
        }
        return null;
    }

    /** Whether more of them may tell a protocol that these few do not. */
    boolean mayTellMore() {
        String heard = heard();
        return PROTOCOLS.keySet().stream()
                .anyMatch(start -> start.length() > heard.length() && start.startsWith(heard));
    }

    private String heard() {
        return new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
    }
}
