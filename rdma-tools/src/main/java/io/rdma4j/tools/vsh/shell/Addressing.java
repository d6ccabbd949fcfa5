package io.rdma4j.tools.vsh.shell;

import static io.rdma4j.tools.vsh.shell.Parameter.number;
import static io.rdma4j.tools.vsh.shell.Parameter.text;

import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaException;
import java.util.List;

/** Where packets go: the arguments that say so, and the address vector they make. */
final class Addressing {
    static final List<Parameter> PARAMETERS = List.of(
            text("dip", "", "the peer's address: its GID, or IPv4 or IPv6 address"),
            number("sgid", "0", "index of the own GID; there is one"),
            number("tc", "0", "traffic class"),
            number("hl", "64", "hop limit"),
            number("fl", "0", "flow label"),
            number("sl", "0", "service level, which does nothing over UDP"));

    private static final int MAX_SERVICE_LEVEL = 15;

    private Addressing() {}

    /** The address vector; an address that is none, or of another family than the device's own, is refused. */
    static AddressVector vector(Arguments arguments, RdmaDevice device, String refusal) {
        Gid destination = destination(arguments, refusal);
        if (arguments.number("sgid") != 0) {
            throw new Refusal(refusal + ": the device has one GID, of index 0");
        }
        if (destination.isIpv4() != device.gid().isIpv4()) {
            throw new Refusal(
                    refusal + ": dip=" + arguments.text("dip") + " is not of the family of the device's own GID");
        }
        arguments.integer("sl", 0, MAX_SERVICE_LEVEL);
        return new AddressVector(destination, arguments.word("tc"), arguments.word("hl"), arguments.word("fl"));
    }

    private static Gid destination(Arguments arguments, String refusal) {
        try {
            return Gid.parse(arguments.text("dip"));
        } catch (RdmaException e) {
            throw new Refusal(refusal + ": dip=" + arguments.text("dip") + " is no address");
        }
    }
}
