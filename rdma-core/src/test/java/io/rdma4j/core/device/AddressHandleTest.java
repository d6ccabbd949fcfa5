package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.DatagramDestination;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** §14: address handles, made from a vector or from what was received. */
class AddressHandleTest {
    private static final String IPV4_ROUTE =
            "00".repeat(20) + "456a0058000040000311" + "f327" + "c0000202" + "c0000201";

    private static void refused(ErrorCode code, String word, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(RdmaException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e).hasMessageContaining(word);
        });
    }

    private static WorkCompletion received(int flags, int port) {
        return new WorkCompletion()
                .reset(1, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECV, 2)
                .addFlags(flags)
                .sourcePort(port);
    }

    private static ByteBuffer route(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    @Test
    @DisplayName("§14: a handle tells its domain and vector; closing it twice is once")
    void made() {
        try (Tape tape = new Tape()) {
            AddressVector vector = new AddressVector(Tape.PEER, 1, 2, 3);
            AddressHandle handle = tape.domain.createAddressHandle(vector);
            assertThat(handle.addressVector()).isEqualTo(vector);
            assertThat(handle.protectionDomain()).isSameAs(tape.domain);
            handle.close();
            handle.close();
        }
    }

    @ParameterizedTest
    @DisplayName("§14: a handle to nowhere, or to another family of addresses, is refused")
    @ValueSource(strings = {"::", "fe80::1", "ff0e::1"})
    void unreachable(String gid) {
        try (Tape tape = new Tape()) {
            AddressVector vector = AddressVector.of(Gid.parse(gid));
            refused(ErrorCode.EINVAL, "ibv_create_ah", () -> tape.domain.createAddressHandle(vector));
        }
    }

    @Test
    @DisplayName("§14: a multicast group is a destination of a handle, though none of a connection")
    void group() {
        try (Tape tape = new Tape();
                AddressHandle handle = tape.domain.createAddressHandle(AddressVector.of(Gid.parse("224.0.0.1")))) {
            assertThat(handle.addressVector().destination().isMulticast()).isTrue();
        }
    }

    @ParameterizedTest
    @DisplayName("§3: a queue pair number has 24 bits")
    @ValueSource(ints = {-1, 0x1000000})
    void numbers(int number) {
        try (Tape tape = new Tape();
                AddressHandle handle = tape.domain.createAddressHandle(AddressVector.of(Tape.PEER))) {
            refused(ErrorCode.EINVAL, "24 bits", () -> new DatagramDestination(handle, number, 0));
        }
    }

    @Test
    @DisplayName("§11.1: a domain with handles is busy, and names them; a closed domain makes none")
    void busyDomain() {
        try (Tape tape = new Tape()) {
            ProtectionDomain domain = tape.device.allocateProtectionDomain();
            AddressHandle handle = domain.createAddressHandle(AddressVector.of(Tape.PEER));
            refused(ErrorCode.EBUSY, "address handle to", domain::close);
            handle.close();
            domain.close();
            refused(ErrorCode.EBADF, "closed", () -> domain.createAddressHandle(AddressVector.of(Tape.PEER)));
        }
    }

    @Test
    @DisplayName("§14: a device has a limit of handles: ENOMEM, and room again when one is closed or its device is")
    void limit() {
        List<AddressHandle> handles = new ArrayList<>();
        try (Tape tape = new Tape()) {
            for (int i = 0; i < tape.engine.config().limits().max(DeviceLimit.MAX_AH); i++) {
                handles.add(tape.domain.createAddressHandle(AddressVector.of(Tape.PEER)));
            }
            refused(
                    ErrorCode.ENOMEM,
                    "address handles",
                    () -> tape.domain.createAddressHandle(AddressVector.of(Tape.PEER)));
            handles.remove(0).close();
            handles.add(tape.domain.createAddressHandle(AddressVector.of(Tape.PEER)));
            handles.forEach(AddressHandle::close);
        }
    }

    @Test
    @DisplayName("§14: the way back: source and destination change places; the buffer's position stays")
    void back() {
        try (Tape tape = new Tape()) {
            ByteBuffer header = route("ffff" + IPV4_ROUTE + "00").position(2);
            try (AddressHandle handle =
                    tape.domain.createAddressHandle(received(WorkCompletion.FLAG_GRH, Gid.ROCE_PORT), header)) {
                assertThat(handle.addressVector())
                        .isEqualTo(new AddressVector(Tape.PEER, 0x6A, AddressVector.DEFAULT_HOP_LIMIT, 0));
                assertThat(header.position()).isEqualTo(2);
            }
        }
    }

    @Test
    @DisplayName("§14: the way back to a device of our own kind at another port goes to that port")
    void backToAPort() {
        try (Tape tape = new Tape();
                AddressHandle handle =
                        tape.domain.createAddressHandle(received(WorkCompletion.FLAG_GRH, 14791), route(IPV4_ROUTE))) {
            Gid destination = handle.addressVector().destination();
            assertThat(destination.devicePort()).isEqualTo(14791);
            assertThat(destination.addressLow()).isEqualTo(Tape.PEER.low());
        }
    }

    @Test
    @DisplayName("§14: IPv6: traffic class and flow label come along")
    void backOverIpv6() {
        Gid here = Gid.parse("fd00:4791::3");
        String header = "66a1234500201103fd004791000000000000000000000002fd004791000000000000000000000003";
        AddressVector vector =
                ReceivedRoute.back(here, received(WorkCompletion.FLAG_GRH, Gid.ROCE_PORT), route(header));
        assertThat(vector)
                .isEqualTo(
                        new AddressVector(Gid.parse("fd00:4791::2"), 0x6A, AddressVector.DEFAULT_HOP_LIMIT, 0x12345));
    }

    @Test
    @DisplayName("§14: no GRH, too few bytes, no IP header, or one to another device: refused in words")
    void noWayBack() {
        try (Tape tape = new Tape()) {
            WorkCompletion grh = received(WorkCompletion.FLAG_GRH, Gid.ROCE_PORT);
            refused(
                    ErrorCode.EINVAL,
                    "no GRH",
                    () -> tape.domain.createAddressHandle(received(0, 4791), route(IPV4_ROUTE)));
            refused(
                    ErrorCode.EINVAL,
                    "39 bytes",
                    () -> tape.domain.createAddressHandle(grh, route(IPV4_ROUTE.substring(2))));
            refused(
                    ErrorCode.EINVAL,
                    "no IP header",
                    () -> tape.domain.createAddressHandle(grh, ByteBuffer.allocate(40)));
            refused(
                    ErrorCode.EINVAL,
                    "no IP header",
                    () -> tape.domain.createAddressHandle(grh, route(IPV4_ROUTE.replace("f327", "f328"))));
            String toAnother = IPV4_ROUTE.replace("f327c0000202c0000201", "f326c0000202c0000202");
            refused(
                    ErrorCode.EINVAL,
                    "and this device is",
                    () -> tape.domain.createAddressHandle(grh, route(toAnother)));
        }
    }
}
