package io.rdma4j.tools.vsh.shell;

import io.rdma4j.verbs.RdmaException;
import java.util.function.Supplier;

/** Calls of the verbs API, whose refusals become answers under the C name of the verb. */
final class Verbs {
    private Verbs() {}

    static <T> T call(String verb, Supplier<T> call) {
        try {
            return call.get();
        } catch (RdmaException e) {
            throw Refusal.of(verb, e);
        }
    }

    static void run(String verb, Runnable call) {
        call(verb, () -> {
            call.run();
            return true;
        });
    }
}
