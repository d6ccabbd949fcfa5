package io.rdma4j.tools.vsh.replay;

import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.fabric.FabricDevice;
import io.rdma4j.tools.vsh.shell.Answer;
import io.rdma4j.tools.vsh.shell.Session;
import io.rdma4j.verbs.Gid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A transcript's commands, said to two devices on a simulated network in virtual time. */
final class Replay implements AutoCloseable {
    private static final long MILLISECOND_NS = 1_000_000;

    /** What passes between two commands: on Linux each is a line over TCP to a guest and back. */
    private static final long BETWEEN_COMMANDS_NS = MILLISECOND_NS;

    private static final Pattern NUMBER = Pattern.compile("\\b(raddr|rkey|dqpn|inv)=(\\S+)");

    private final Transcript transcript;
    private final Faults faults;
    private final Fabric fabric = new Fabric(1);
    private final FabricDevice first;
    private final FabricDevice second;
    private final Side a;
    private final Side b;
    private final Map<Integer, String> answers = new TreeMap<>();

    Replay(Transcript transcript, Faults faults) {
        this.transcript = transcript;
        this.faults = faults;
        List<Gid> gids = gids(transcript);
        first = fabric.addDevice("g1", gids.get(0));
        second = fabric.addDevice("g2", gids.get(1));
        a = side(first);
        b = side(second);
    }

    private Side side(FabricDevice device) {
        return new Side(
                new Session(device.rdma(), (condition, millis) -> fabric.runUntil(condition, millis * MILLISECOND_NS)));
    }

    /** The addresses of both sides: each is what the other one is told. */
    private static List<Gid> gids(Transcript transcript) {
        return List.of(gidOf(transcript, 2), gidOf(transcript, 1));
    }

    private static Gid gidOf(Transcript transcript, int teller) {
        Pattern address = Pattern.compile(".*\\bdip=(\\S+).*");
        return transcript.steps().stream()
                .filter(step -> step.side() == teller)
                .map(step -> address.matcher(step.command()))
                .filter(Matcher::matches)
                .map(matcher -> Gid.parse(matcher.group(1)))
                .findFirst()
                .orElseThrow();
    }

    /** Says all commands. */
    void run() {
        List<Faults.Change> changes = new ArrayList<>(faults.of(transcript.name()));
        for (Transcript.Step step : transcript.steps()) {
            while (!changes.isEmpty() && changes.get(0).before().equals(step.commandLine())) {
                changes.remove(0).make(fabric, first, second);
            }
            Side speaker = step.side() == 1 ? a : b;
            String command = translate(step.command(), step.side() == 1 ? b : a);
            Answer answer = Objects.requireNonNull(speaker.session.run(command), command);
            speaker.learn(step.answer(), answer.line());
            answers.put(step.line(), answer.line());
            fabric.runFor(BETWEEN_COMMANDS_NS);
        }
        if (!changes.isEmpty()) {
            throw new AssertionError(
                    transcript + ": no such command: " + changes.get(0).before());
        }
    }

    /** Our numbers in place of those that the other side told there. */
    private static String translate(String command, Side other) {
        long address = AnswerFields.number(command, "raddr").orElse(0);
        return NUMBER.matcher(command).replaceAll(match -> {
            long theirs = Long.decode(match.group(2));
            long ours = switch (match.group(1)) {
                case "raddr" -> other.address(theirs);
                case "rkey" -> other.key(theirs, address);
                case "inv" -> other.key(theirs);
                default -> other.queuePair(theirs);
            };
            return match.group(1) + "=0x" + Long.toHexString(ours);
        });
    }

    /** Our answers, by the line of the transcript's answer. */
    Map<Integer, String> answers() {
        return answers;
    }

    Fabric fabric() {
        return fabric;
    }

    @Override
    public void close() {
        a.session.close();
        b.session.close();
        fabric.close();
    }
}
