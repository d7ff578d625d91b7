package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of servers and what maps them: what is one, which are the same, and what is refused. */
class NodeAddressTest {

    @ParameterizedTest
    @CsvSource({
        "localhost:1, localhost, 1",
        "my_redis.internal:65535, my_redis.internal, 65535",
        "10.0.0.5:6379, 10.0.0.5, 6379",
        "[::1]:6379, ::1, 6379",
        "[::ffff:10.0.0.5]:6379, ::ffff:10.0.0.5, 6379",
    })
    void aTextIsReadAndWrittenAlike(String text, String host, int port) {
        NodeAddress address = NodeAddress.parse(text);

        assertThat(address.host()).isEqualTo(host);
        assertThat(address.port()).isEqualTo(port);
        assertThat(address).isEqualTo(new NodeAddress(host, port)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({"Redis.Internal:1, redis.internal:1", "[::1]:1, [0:0:0:0:0:0:0:1]:1", "[FE80::1]:1, [fe80::1]:1"})
    void twoWaysToWriteOneAddressAreEqual(String one, String other) {
        assertThat(NodeAddress.parse(one))
                .isEqualTo(NodeAddress.parse(other))
                .hasSameHashCodeAs(NodeAddress.parse(other));
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis.internal:2", "redis:1", "[::1]:1", "10.0.0.5:1"})
    void otherAddressesAreOthers(String other) {
        assertThat(NodeAddress.parse(other)).isNotEqualTo(NodeAddress.parse("redis.internal:1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "canary",
                "canary:",
                ":6379",
                "canary:0",
                "canary:65536",
                "canary:-1",
                "canary:99999999999",
                "canary:٣",
                "ca nary:1",
                "canary\n:1",
                "::1:6379",
                "[canary]:1",
                "[::1:6379",
                "::1]:6379",
                "[::1]",
                "[]:1",
                "[fe80::1%eth0]:6379",
                "[canary:1]:1",
                "redis://app:canary@h:6379",
                "app@canary:6379"
            })
    void whatIsNoneIsRefusedAndNotQuoted(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeAddress.parse(text))
                .withMessage("address: malformed (expected: host:port, with a port from 1 to 65535, and an IPv6 address"
                        + " in brackets)");
    }

    @Test
    void aHostOrAPortThatIsNoneIsRefusedByItsName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NodeAddress("my host", 1))
                .withMessage("host: 'my host' (expected: a host name or an IP address)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NodeAddress("redis:6379", 1))
                .withMessage("host: 'redis:6379' (expected: a host name, or an IP address without a port)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NodeAddress("[::1]", 1))
                .withMessage("host: '[::1]' (expected: a host name or an IP address)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NodeAddress("h", 0))
                .withMessage("port: 0 (expected: 1 to 65535)");
    }

    @Test
    void knownAddressesAreMappedAndOthersStay() {
        Map<NodeAddress, NodeAddress> table = new HashMap<>();
        table.put(NodeAddress.parse("10.0.0.5:6379"), NodeAddress.parse("localhost:16379"));
        AddressMapper mapper = AddressMapper.of(table);
        AddressMapper same = AddressMapper.of(Map.copyOf(table));
        table.clear();

        assertThat(mapper.map(new NodeAddress("10.0.0.5", 6379))).isEqualTo(new NodeAddress("localhost", 16_379));
        assertThat(mapper.map(new NodeAddress("10.0.0.6", 6379))).isEqualTo(new NodeAddress("10.0.0.6", 6379));
        assertThat(mapper).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo(AddressMapper.of(table));
        assertThat(mapper).hasToString("KnownAddresses{10.0.0.5:6379=localhost:16379}");
    }
}
