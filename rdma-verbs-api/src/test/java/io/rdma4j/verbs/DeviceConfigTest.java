package io.rdma4j.verbs;

import static io.rdma4j.verbs.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceConfigTest {
    @Test
    void schemeHostAndOptionsAreRead() {
        DeviceConfig config = DeviceConfig.parse("udp://127.0.0.1?port=14791&mtu=4096");

        assertThat(config.scheme()).isEqualTo("udp");
        assertThat(config.host()).isEqualTo("127.0.0.1");
        assertThat(config.options()).isEqualTo(Map.of("port", "14791", "mtu", "4096"));
    }

    @ParameterizedTest
    @CsvSource({
        "udp://127.0.0.1, udp, 127.0.0.1",
        "UDP://127.0.0.1/, udp, 127.0.0.1",
        "udp://127.0.0.1?, udp, 127.0.0.1",
        "udp://[::1], udp, ::1",
        "sim://node_7, sim, node_7"
    })
    void optionsMayBeMissing(String uri, String scheme, String host) {
        DeviceConfig config = DeviceConfig.parse(uri);

        assertThat(config).isEqualTo(DeviceConfig.of(scheme, host));
        assertThat(config.scheme()).isEqualTo(scheme);
        assertThat(config.host()).isEqualTo(host);
        assertThat(config.options()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'', no scheme",
        "127.0.0.1, no scheme",
        "//127.0.0.1, no scheme",
        "udp:127.0.0.1, no host",
        "udp:///, no host",
        "udp://, udp",
        "udp://127.0.0.1:14791, ?port=14791",
        "udp://my_host:14791, my_host:14791",
        "udp://me@127.0.0.1, user",
        "udp://127.0.0.1/rdma0, /rdma0",
        "udp://127.0.0.1#x, #x",
        "udp://127.0.0.1?port, port",
        "udp://127.0.0.1?=1, =1",
        "udp://127.0.0.1?port=1&&mtu=256, name=value",
        "udp://127.0.0.1?port=1&port=2, twice",
        "udp://127.0.0.1?port=%zz, zz",
        "udp://[::1, udp"
    })
    void badUrisAreRefusedWithTheReason(String uri, String reason) {
        assertRefused(ErrorCode.EINVAL, () -> DeviceConfig.parse(uri))
                .hasMessageContaining("\"" + uri + "\"")
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a?port=1", "a#b", "a/b", "a:1", "me@a"})
    void whatIsNotAHostIsRefused(String host) {
        assertRefused(ErrorCode.EINVAL, () -> DeviceConfig.of("udp", host));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "udp://127.0.0.1",
                "udp://[::1]?port=14791",
                "udp://127.0.0.1?gso=off&mtu=1024&port=14791",
                "sim://a?name=%26%3D%2B%20%C3%A4"
            })
    void textRoundTrips(String uri) {
        DeviceConfig config = DeviceConfig.parse(uri);

        assertThat(config).hasToString(uri);
        assertThat(DeviceConfig.parse(config.toString())).isEqualTo(config).hasSameHashCodeAs(config);
    }

    @Test
    void valuesAreUnescaped() {
        assertThat(DeviceConfig.parse("sim://a?name=%26%3D+%20%C3%A4").option("name"))
                .isEqualTo("&=+ ä");
    }

    @Test
    void withLeavesTheOriginalAlone() {
        DeviceConfig plain = DeviceConfig.of("udp", "127.0.0.1");
        DeviceConfig more = plain.with("port", 14791).with("gso", "off").with("gso", "auto");

        assertThat(plain.options()).isEmpty();
        assertThat(more).hasToString("udp://127.0.0.1?gso=auto&port=14791");
        assertThat(more).isNotEqualTo(plain);
        assertRefused(ErrorCode.EINVAL, () -> plain.with("", "x"));
    }

    @Test
    void optionsAreUnmodifiable() {
        Map<String, String> options = DeviceConfig.parse("udp://a?port=1").options();

        assertThatThrownBy(() -> options.put("mtu", "256")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void optionsAreReadWithADefault() {
        DeviceConfig config = DeviceConfig.parse("udp://a?port=14791&mtu=big");

        assertThat(config.option("gso")).isNull();
        assertThat(config.option("gso", "auto")).isEqualTo("auto");
        assertThat(config.option("mtu", "4096")).isEqualTo("big");
        assertThat(config.intOption("port", 4791)).isEqualTo(14791);
        assertThat(config.intOption("burst", 64)).isEqualTo(64);
        assertRefused(ErrorCode.EINVAL, () -> config.intOption("mtu", 4096))
                .hasMessageContaining("option mtu is \"big\"");
    }
}
