package io.rdma4j.udp;

import io.rdma4j.testkit.contract.ContractBed;
import io.rdma4j.testkit.contract.Need;
import io.rdma4j.testkit.contract.RealTimeBed;
import io.rdma4j.testkit.contract.VerbsContract;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaDevices;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;

/**
 * Devices over UDP sockets fulfil the contract. Each case has contexts of its own; the devices below, at free ports of
 * 127.9.9.0/24, go from case to case, as a machine's devices do from program to program.
 */
class UdpContractTest extends VerbsContract {
    private static final int FIRST_HOST = 2;

    private static final Map<Need, String> LACKS = Map.of(
            Need.TRAFFIC_CLASS_ON_ARRIVAL, "a Java socket does not tell the traffic class of a received datagram");

    private final Map<Integer, RdmaDevice> held = new HashMap<>();

    @Override
    protected ContractBed bed() {
        return new RealTimeBed("udp", this::open, LACKS);
    }

    private RdmaDevice open(int index) {
        String address = "udp://127.9.9." + (FIRST_HOST + index) + "?port=";
        RdmaDevice device = held.computeIfAbsent(index, i -> RdmaDevices.open(address + freePort(address)));
        return RdmaDevices.open(address + device.gid().devicePort());
    }

    /** Opening again needs the port by its number. */
    private static int freePort(String address) {
        try (RdmaDevice probe = RdmaDevices.open(address + 0)) {
            return probe.gid().devicePort();
        }
    }

    @AfterAll
    void closeDevices() {
        held.values().forEach(RdmaDevice::close);
    }
}
