package io.holdfast.lock.netty.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The name service that the JVM uses, and a way past the JVM's memory.
 *
 * <p>The JVM remembers an address for 30 s, and that a name has none for 10 s. It remembers them by the name as it was
 * spelled, and name servers take no notice of upper and lower case. So a name is looked up in a spelling that was not used
 * before. A name of few letters has few spellings; when all were used, an answer may be remembered again.
 */
public final class SystemNames implements NameService {

    private final AtomicInteger spellings = new AtomicInteger();

    @Override
    public List<InetAddress> addresses(String host) throws UnknownHostException {
        return List.of(InetAddress.getAllByName(host));
    }

    /** Asks by the name as it was written, too: a file of hosts may take notice of case. */
    @Override
    public List<InetAddress> addressesNow(String host) throws UnknownHostException {
        try {
            return addresses(respelled(host, spellings.incrementAndGet()));
        } catch (UnknownHostException perhapsBySpelling) {
            return addresses(host);
        }
    }

    /** The name with some letters in the other case: those whose bit is set in the number. */
    static String respelled(String host, int number) {
        StringBuilder respelled = new StringBuilder(host);
        int bits = number;
        for (int i = 0; i < host.length() && bits != 0; i++) {
            char c = host.charAt(i);
            boolean lower = c >= 'a' && c <= 'z';
            if (lower || (c >= 'A' && c <= 'Z')) {
                if ((bits & 1) != 0) {
                    respelled.setCharAt(i, (char) (lower ? c - 'a' + 'A' : c - 'A' + 'a'));
                }
                bits >>>= 1;
            }
        }
        return respelled.toString();
    }
}
