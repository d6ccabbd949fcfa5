package io.rdma4j.examples;

import static io.rdma4j.verbs.AccessFlag.LOCAL_WRITE;
import static io.rdma4j.verbs.AccessFlag.REMOTE_WRITE;

import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaDevices;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.WorkCompletion;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Copies a file by RDMA: both files are mapped into memory and registered, and one RDMA WRITE takes the bytes from the
 * one to the other. The receiving side runs no code for it: it only told where its memory is, and the key.
 */
public final class WriteAFile {
    private WriteAFile() {}

    /** Runs the example: {@code WriteAFile SOURCE TARGET}. */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: WriteAFile SOURCE TARGET");
            System.exit(2);
        }
        Path source = Path.of(args[0]);
        Path target = Path.of(args[1]);
        long bytes = Files.size(source); // up to 2 GiB, the most that one mapped buffer holds
        try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ);
                FileChannel out = FileChannel.open(
                        target, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            out.truncate(bytes);
            MappedByteBuffer copy = out.map(MapMode.READ_WRITE, 0, bytes);
            long nanos = write(in.map(MapMode.READ_ONLY, 0, bytes), copy);
            copy.force();
            System.out.printf("%d bytes in %.1f ms%n", bytes, nanos / 1e6);
        }
        long difference = Files.mismatch(source, target);
        if (difference >= 0) {
            throw new IllegalStateException(target + " differs from " + source + " at byte " + difference);
        }
        System.out.println(target + " is the same as " + source);
    }

    private static long write(MappedByteBuffer from, MappedByteBuffer to) {
        try (RdmaDevice receiver = RdmaDevices.open("udp://127.0.0.1?port=0");
                ProtectionDomain receiverDomain = receiver.allocateProtectionDomain();
                CompletionQueue unused = receiver.createCompletionQueue(1);
                MemoryRegion memory = receiverDomain.registerMemory(to, LOCAL_WRITE, REMOTE_WRITE);
                QueuePair receiving = receiverDomain.createQueuePair(QueuePairConfig.reliable(unused));
                RdmaDevice sender = RdmaDevices.open("udp://127.0.0.1?port=0");
                ProtectionDomain senderDomain = sender.allocateProtectionDomain();
                CompletionQueue completions = sender.createCompletionQueue(1);
                MemoryRegion file = senderDomain.registerMemory(from);
                QueuePair sending = senderDomain.createQueuePair(QueuePairConfig.reliable(completions))) {

            sending.connect(receiving.localAddress());
            receiving.connect(sending.localAddress());

            long start = System.nanoTime();
            sending.postSend(RdmaWrite.of(1, file.all())
                    .to(memory.address(), memory.remoteKey()) // the receiver's program would send these two over
                    .signaled());
            WorkCompletion[] completion = WorkCompletion.array(1);
            while (completions.poll(completion) == 0) {
                Thread.onSpinWait();
            }
            if (!completion[0].isSuccess()) {
                throw new IllegalStateException(completion[0].toString());
            }
            return System.nanoTime() - start;
        }
    }
}
