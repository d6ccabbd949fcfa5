package io.rdma4j.tools.vsh;

import io.rdma4j.tools.vsh.shell.Completion;
import java.util.ArrayList;
import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Tells the line editor what a session can complete. */
final class SessionCompleter implements Completer {
    private final Completion completion;

    SessionCompleter(Completion completion) {
        this.completion = completion;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        List<String> before = line.words().subList(0, line.wordIndex());
        List<String> words = new ArrayList<>(before);
        words.add(line.word().substring(0, line.wordCursor()));
        for (String word : completion.candidates(words)) {
            boolean isWhole = !word.endsWith("=");
            candidates.add(new Candidate(word, word, null, null, null, null, isWhole));
        }
    }
}
