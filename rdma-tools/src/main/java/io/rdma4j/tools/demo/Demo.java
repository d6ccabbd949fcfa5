package io.rdma4j.tools.demo;

import io.rdma4j.tools.text.Units;
import io.rdma4j.verbs.DeviceConfig;
import io.rdma4j.verbs.QueuePairAddress;
import io.rdma4j.verbs.RdmaDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** One run of the demo: starts the other process, meets it, takes the steps, and checks the capture at the end. */
final class Demo {
    private final DeviceConfig own;
    private final DeviceConfig peerConfig;
    private final DeviceConfig peerFallback;
    private final DemoCapture capture;
    private final boolean verbose;
    private final DemoPrinter printer;
    private final List<DemoStep> steps = new ArrayList<>();

    /**
     * Plans a run.
     *
     * @param peerFallback whose address the peer takes, on another port, if this machine lacks that of {@code peerConfig}
     */
    Demo(
            DeviceConfig own,
            DeviceConfig peerConfig,
            DeviceConfig peerFallback,
            DemoCapture capture,
            boolean verbose,
            DemoPrinter printer) {
        this.own = own;
        this.peerConfig = peerConfig;
        this.peerFallback = peerFallback;
        this.capture = capture;
        this.verbose = verbose;
        this.printer = printer;
    }

    DemoResult run() {
        printer.say("Two JVMs, a software RDMA device in each, and UDP between them:");
        List<String> devices = new ArrayList<>();
        try (RdmaDevice device = DemoDevices.open(capture.recording(own), printer::note);
                DemoNode node = new DemoNode(device, DemoLayout.INITIATOR_BYTES);
                PeerProcess peer = PeerProcess.start(peerArguments())) {
            PeerMessage introduction = peer.expect("ready");
            String notes = introduction.text("notes");
            if (!notes.isEmpty()) {
                printer.note(notes);
            }
            QueuePairAddress peerMain = QueuePairAddress.parse(introduction.value("main"));
            devices.add(device.name());
            devices.add(introduction.text("device"));
            present("this process", ProcessHandle.current().pid(), device.name());
            present("the peer", peer.pid(), introduction.text("device"));
            printer.say("");
            meet(node, peer, introduction, peerMain);
            takeSteps(new DemoSteps(node, peer, introduction, printer::progress));
            peer.tell(PeerMessage.of("bye"));
        }
        take(capture::check); // after the device is closed, so that the file is complete
        return new DemoResult(devices, steps, capture.file());
    }

    private static void meet(DemoNode node, PeerProcess peer, PeerMessage introduction, QueuePairAddress peerMain) {
        node.main().connect(peerMain);
        node.fault().connect(QueuePairAddress.parse(introduction.value("fault")));
        PeerMessage invitation = PeerMessage.of("connect")
                .with("main", node.main().localAddress())
                .with("fault", node.fault().localAddress());
        peer.ask(invitation, "connected");
    }

    private void takeSteps(DemoSteps demo) {
        take(demo::greet);
        take(demo::write);
        take(demo::readBack);
        take(demo::increment);
        take(demo::provokeAccessError);
    }

    private void take(Supplier<DemoStep> step) {
        DemoStep taken = step.get();
        steps.add(taken);
        printer.step(taken);
    }

    private void present(String who, long pid, String device) {
        printer.say(Units.format("  %-12s  pid %-8d  %s", who, pid, device));
    }

    private List<String> peerArguments() {
        List<String> arguments = new ArrayList<>(List.of("demo-peer", "--device", peerConfig.toString()));
        arguments.addAll(List.of("--fallback", peerFallback.toString()));
        if (verbose) {
            arguments.add("--verbose");
        }
        return arguments;
    }
}
