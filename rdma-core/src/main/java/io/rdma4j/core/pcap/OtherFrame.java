package io.rdma4j.core.pcap;

/**
 * A record that holds no whole RoCEv2 frame.
 *
 * @param reason why not, in words
 */
public record OtherFrame(String reason) implements CapturedFrame {
    @Override
    public String line() {
        return "not RoCEv2: " + reason;
    }
}
