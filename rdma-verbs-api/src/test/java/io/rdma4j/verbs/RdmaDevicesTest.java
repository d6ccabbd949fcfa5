package io.rdma4j.verbs;

import static io.rdma4j.verbs.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RdmaDevicesTest {
    private final Set<String> properties = new HashSet<>();

    @AfterEach
    void clearProperties() {
        properties.forEach(System::clearProperty);
    }

    @Test
    void theSchemeChoosesTheProvider() {
        assertThat(opened("fake://here?port=14791")).isEqualTo(DeviceConfig.parse("fake://here?port=14791"));
    }

    @Test
    void anUnknownSchemeIsRefusedNamingWhatIsInstalled() {
        assertRefused(ErrorCode.EINVAL, () -> RdmaDevices.open("udq://127.0.0.1"))
                .hasMessageContaining("\"udq\"")
                .hasMessageContaining("installed: fake, other");
    }

    @Test
    void anUnknownOptionIsRefusedByName() {
        assertRefused(ErrorCode.EINVAL, () -> RdmaDevices.open("fake://here?prot=14791"))
                .hasMessageContaining("unknown option \"prot\"")
                .hasMessageContaining("known: mtu, port");
    }

    @Test
    void systemPropertiesAreDefaults() {
        property("rdma4j.port", "14791");
        property("rdma4j.mtu", "1024");

        assertThat(opened("fake://here?mtu=256").options()).isEqualTo(Map.of("port", "14791", "mtu", "256"));
    }

    @Test
    void anOptionOfAnotherProviderIsNotForThisOne() {
        property("rdma4j.seed", "1");

        assertThat(opened("fake://here").options()).isEmpty();
        assertThat(opened("other://here").options()).isEqualTo(Map.of("seed", "1"));
        assertRefused(ErrorCode.EINVAL, () -> RdmaDevices.open("fake://here?seed=1"))
                .hasMessageContaining("\"seed\"");
    }

    @Test
    void anUnknownPropertyIsRefusedByName() {
        property("rdma4j.prot", "14791");

        assertRefused(ErrorCode.EINVAL, () -> RdmaDevices.open("fake://here"))
                .hasMessageContaining("unknown system property rdma4j.prot")
                .hasMessageContaining("mtu, port, seed");
    }

    @Test
    void aPropertyWithAFurtherDotIsNoOption() {
        property("rdma4j.test.seed", "1");

        assertThat(opened("fake://here").options()).isEmpty();
    }

    @Test
    void aMalformedUriIsRefused() {
        assertRefused(ErrorCode.EINVAL, () -> RdmaDevices.open("127.0.0.1"));
    }

    @Test
    void theListIsThatOfAllProviders() {
        assertThat(RdmaDevices.list()).extracting(DeviceInfo::uri).containsExactly("fake://here");
    }

    private static DeviceConfig opened(String uri) {
        try (RdmaDevice device = RdmaDevices.open(uri)) {
            return ((FakeDevice) device).config();
        }
    }

    private void property(String name, String value) {
        properties.add(name);
        System.setProperty(name, value);
    }
}
