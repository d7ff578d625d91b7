package io.holdfast.lock.benchmarks.peer;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A blocking socket that speaks just enough of the protocol for the scripts: commands are gathered in one array and
 * written at once; replies are lists of integers. It allocates nothing in steady state. For one thread at a time.
 */
final class Wire implements AutoCloseable {

    private static final int CONNECT_TIMEOUT_MILLIS = 3_000;
    private static final int READ_TIMEOUT_MILLIS = 30_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private byte[] request = new byte[512];
    private int requestBytes;
    private final byte[] reply = new byte[64 * 1024];
    private int replyStart;
    private int replyEnd;

    Wire(URI server) {
        socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), CONNECT_TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(READ_TIMEOUT_MILLIS);
            in = socket.getInputStream();
            out = socket.getOutputStream();
        } catch (IOException unreachable) {
            throw new UncheckedIOException("can't connect to " + server, unreachable);
        }
    }

    /** Adds a command to what the next {@link #flush} sends. */
    void append(byte[]... words) {
        header('*', words.length);
        for (byte[] word : words) {
            header('$', word.length);
            bytes(word);
            end();
        }
    }

    void flush() {
        try {
            out.write(request, 0, requestBytes);
            requestBytes = 0;
        } catch (IOException broken) {
            throw new UncheckedIOException("can't write to " + socket, broken);
        }
    }

    /** Reads a list of integers and returns the first of them. */
    long firstOfList() {
        int type = next();
        long length = number();
        if (type != '*' || length < 1) {
            throw new IllegalStateException(
                    "a reply of type '" + (char) type + "' and length " + length + " (expected: a list of integers)");
        }
        long first = 0;
        for (int i = 0; i < length; i++) {
            int kind = next();
            if (kind != ':') {
                throw new IllegalStateException("an element of type '" + (char) kind + "' (expected: an integer)");
            }
            long value = number();
            first = i == 0 ? value : first;
        }
        return first;
    }

    private void header(int type, int length) {
        room(16);
        request[requestBytes++] = (byte) type;
        int digits = length < 10 ? 1 : length < 100 ? 2 : length < 1000 ? 3 : 4;
        int rest = length;
        for (int i = digits - 1; i >= 0; i--) {
            request[requestBytes + i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        requestBytes += digits;
        end();
    }

    private void bytes(byte[] word) {
        room(word.length + 2);
        System.arraycopy(word, 0, request, requestBytes, word.length);
        requestBytes += word.length;
    }

    private void end() {
        request[requestBytes++] = '\r';
        request[requestBytes++] = '\n';
    }

    private void room(int bytes) {
        if (requestBytes + bytes > request.length) {
            request = Arrays.copyOf(request, Math.max(2 * request.length, requestBytes + bytes));
        }
    }

    private long number() {
        long value = 0;
        boolean negative = false;
        for (int digit = next(); digit != '\r'; digit = next()) {
            if (digit == '-') {
                negative = true;
            } else {
                value = value * 10 + digit - '0';
            }
        }
        next();
        return negative ? -value : value;
    }

    private int next() {
        if (replyStart == replyEnd) {
            try {
                replyEnd = in.read(reply);
                replyStart = 0;
                if (replyEnd < 0) {
                    throw new EOFException("the server closed the connection");
                }
            } catch (IOException broken) {
                throw new UncheckedIOException("can't read from " + socket, broken);
            }
        }
        return reply[replyStart++];
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException broken) {
            throw new UncheckedIOException("can't close " + socket, broken);
        }
    }
}
