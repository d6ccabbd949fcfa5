package io.rdma4j.testkit.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.rdma4j.core.link.Path;
import io.rdma4j.core.pcap.CapturedFrame;
import io.rdma4j.core.pcap.FrameDecoder;
import io.rdma4j.core.pcap.PcapPacket;
import io.rdma4j.core.pcap.PcapReader;
import io.rdma4j.core.pcap.RoceFrame;
import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.RdmaException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Multicast on the fabric, from the frames' point of view. */
class FabricGroupTest {
    private static final Gid GROUP = Gid.parse("239.1.2.3");
    private static final int MULTICAST_QP = 0xFFFFFF;
    private static final int TRAFFIC_CLASS = 0x68;
    private static final int HOP_LIMIT = 7;
    private static final int LENGTH = Opcode.UD_SEND_ONLY.headerLength() + 64;

    @TempDir
    java.nio.file.Path directory;

    private final Fabric fabric = new Fabric(11);
    private FabricDevice a;
    private FabricDevice b;
    private FabricDevice c;

    @BeforeEach
    void addDevices() {
        a = fabric.addDevice("a", Gid.parse("192.0.2.1"));
        b = fabric.addDevice("b", Gid.parse("192.0.2.2"));
        c = fabric.addDevice("c", Gid.parse("192.0.2.3"));
    }

    @AfterEach
    void close() {
        fabric.close();
    }

    @Test
    @DisplayName("every member gets one copy, the sender too when it has joined (§14)")
    void everyMemberGetsOneCopy() {
        a.driver().joinGroup(GROUP);
        b.driver().joinGroup(GROUP);

        send(a, GROUP);

        assertThat(received(a)).isEqualTo(1);
        assertThat(received(b)).isEqualTo(1);
        assertThat(received(c)).isZero();

        send(c, GROUP);

        assertThat(received(a)).isEqualTo(2);
        assertThat(received(b)).isEqualTo(2);
        assertThat(received(c)).isZero();
    }

    @Test
    void aCopyIsAddressedToTheGroupAndSealedForIt() {
        b.driver().joinGroup(GROUP);
        c.driver().joinGroup(GROUP);
        List<Boolean> intact = new ArrayList<>();
        fabric.carrier().tap(FrameTap.NONE, (timeNs, frame) -> {
            assertThat(frame.addresses.destinationHigh).isEqualTo(GROUP.high());
            assertThat(frame.addresses.destinationLow).isEqualTo(GROUP.low());
            assertThat(frame.addresses.destinationPort).isEqualTo(Gid.ROCE_PORT);
            assertThat(frame.path.trafficClass()).isEqualTo(TRAFFIC_CLASS);
            assertThat(frame.path.hopLimit()).isEqualTo(HOP_LIMIT);
            intact.add(
                    new Icrc().verify(frame.addresses, frame.identification, frame.bytes, Frame.OFFSET, frame.length));
        });

        send(a, GROUP);

        assertThat(intact).containsExactly(true, true);
    }

    @Test
    void eachCopyHasItsOwnFate() {
        List.of(a, b, c).forEach(device -> device.driver().joinGroup(GROUP));
        RuleInForce lost = fabric.addRule(FrameRule.drop().toGroup(GROUP).to(b));
        RuleInForce twice =
                fabric.addRule(FrameRule.duplicate(10).toGroup(GROUP).to(c).nth(1));

        send(a, GROUP);

        assertThat(List.of(received(a), received(b), received(c))).containsExactly(1L, 0L, 2L);
        assertThat(lost.acted()).isEqualTo(1);
        assertThat(twice.acted()).isEqualTo(1);
        assertThat(fabric.trace().entries())
                .extracting(entry -> entry.frame().to(), TraceEntry::fates)
                .containsExactly(
                        tuple("a", Set.of()), tuple("b", Set.of(Fate.DROPPED)), tuple("c", Set.of(Fate.DUPLICATED)));
        assertThat(fabric.trace().text()).contains("a->b", "group=" + GROUP, "class=0x68", "hops=7");
    }

    @Test
    void damageToOneCopyLeavesTheOthersWhole() {
        b.driver().joinGroup(GROUP);
        c.driver().joinGroup(GROUP);
        fabric.addRule(FrameRule.corrupt().to(b));
        List<Boolean> intact = new ArrayList<>();
        fabric.carrier()
                .tap(
                        FrameTap.NONE,
                        (timeNs, frame) -> intact.add(new Icrc()
                                .verify(
                                        frame.addresses,
                                        frame.identification,
                                        frame.bytes,
                                        Frame.OFFSET,
                                        frame.length)));

        send(a, GROUP);

        assertThat(intact).containsExactlyInAnyOrder(false, true);
    }

    @Test
    void groupsAreLeftByCallAndByClosing() {
        b.driver().joinGroup(GROUP);
        c.driver().joinGroup(GROUP);
        b.driver().leaveGroup(GROUP);
        send(a, GROUP);
        assertThat(List.of(received(b), received(c))).containsExactly(0L, 1L);

        c.rdma().close();
        send(a, GROUP);

        List<TraceEntry> sent = fabric.trace().entries();
        assertThat(sent).hasSize(2);
        assertThat(sent.get(1).fates()).containsExactly(Fate.NO_HOST);
        assertThat(sent.get(1).frame().to()).isEqualTo(GROUP.toString());
    }

    @Test
    void aPulledCableKeepsCopiesFromThatMemberOnly() {
        b.driver().joinGroup(GROUP);
        c.driver().joinGroup(GROUP);
        b.linkDown();

        send(a, GROUP);

        assertThat(List.of(received(b), received(c))).containsExactly(0L, 1L);
    }

    @ParameterizedTest
    @CsvSource({"192.0.2.9, is no multicast group", "ff0e::1, of different versions of IP"})
    void whatIsNoGroupOfThisDeviceIsRefused(String group, String words) {
        assertThatThrownBy(() -> a.driver().joinGroup(Gid.parse(group)))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EINVAL))
                .hasMessageContaining(words);
    }

    @Test
    void captureHasTheFrameOnceAsSentAndOnceForEachMember() throws IOException {
        b.driver().joinGroup(GROUP);
        c.driver().joinGroup(GROUP);
        fabric.capture(directory.resolve("run"));

        send(a, GROUP);
        fabric.close();

        assertThat(frames("run-sent.pcap")).hasSize(1);
        assertThat(frames("run-arrived.pcap")).hasSize(2).allSatisfy(captured -> {
            RoceFrame frame = (RoceFrame) captured;
            assertThat(frame.isIcrcValid()).isTrue();
            assertThat(frame.trafficClass()).isEqualTo(TRAFFIC_CLASS);
            assertThat(frame.hopLimit()).isEqualTo(HOP_LIMIT);
            assertThat(frame.addresses().destinationLow).isEqualTo(GROUP.low());
        });
    }

    private void send(FabricDevice from, Gid group) {
        Path path = new Path(from.gid(), group, TRAFFIC_CLASS, HOP_LIMIT, 0);
        FabricLink link = from.link();
        assertThat(link.claim(path, LENGTH)).isTrue();
        for (int i = 0; i < LENGTH; i++) {
            link.buffer().put(link.offset() + i, (byte) 0);
        }
        new Bth().wrap(link.buffer(), link.offset()).init(Opcode.UD_SEND_ONLY, MULTICAST_QP, 0);
        link.commit();
        fabric.runUntilIdle(1_000_000);
    }

    private static long received(FabricDevice device) {
        return device.rdma().counters().getOrDefault("received_packets", 0L);
    }

    private List<CapturedFrame> frames(String name) throws IOException {
        List<CapturedFrame> frames = new ArrayList<>();
        FrameDecoder decoder = new FrameDecoder();
        try (PcapReader reader = PcapReader.open(directory.resolve(name))) {
            for (PcapPacket packet = reader.next(); packet != null; packet = reader.next()) {
                frames.add(decoder.decode(packet));
            }
        }
        return frames;
    }
}
