package io.rdma4j.tools.vsh.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What two verbs shells on Linux soft-RoCE were told and what they answered, and the frames that went over the wire.
 *
 * @param name of the file
 * @param steps in order
 * @param frames one decoded frame a line, as the side g1 saw them
 */
record Transcript(String name, List<Step> steps, List<String> frames) {
    private static final Path DIRECTORY = Path.of("..", "rdma-core", "src", "test", "resources", "golden");
    private static final Pattern COMMAND = Pattern.compile("g([12])> (.*)");
    private static final String FRAMES = "== ";

    /**
     * One command.
     *
     * @param line where the answer stands in the file, from 1
     * @param side 1 or 2
     */
    record Step(int line, int side, String command, String answer) {
        String commandLine() {
            return "g" + side + "> " + command.strip();
        }

        String answerLine() {
            return "g" + side + "< " + answer;
        }
    }

    /** All transcripts in which shells were used. */
    static List<Transcript> all() {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .map(Transcript::read)
                    .filter(transcript -> !transcript.steps().isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Transcript read(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String name = file.getFileName().toString().replace(".txt", "");
        int end = lines.indexOf(FRAMES + name + ".pcap");
        List<String> frames = lines.subList(end + 1, lines.size()).stream()
                .takeWhile(line -> !line.isBlank() && !line.startsWith(FRAMES))
                .toList();
        return new Transcript(name, steps(lines.subList(0, end)), frames);
    }

    private static List<Step> steps(List<String> lines) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < lines.size() - 1; i++) {
            Matcher command = COMMAND.matcher(lines.get(i));
            if (command.matches()) {
                int side = Integer.parseInt(command.group(1));
                String answer = lines.get(i + 1).substring("g1< ".length());
                steps.add(new Step(i + 2, side, command.group(2), answer));
            }
        }
        return steps;
    }

    @Override
    public String toString() {
        return name;
    }
}
