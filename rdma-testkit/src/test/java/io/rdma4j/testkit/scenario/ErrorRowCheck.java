package io.rdma4j.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.List;

/** Provokes an error and compares everything that is to be seen of it with its row. */
final class ErrorRowCheck {
    private ErrorRowCheck() {}

    static void run(ErrorRow row) {
        try (ErrorBed bed = row.bed().make()) {
            row.provoke().accept(bed);
            bed.nodes.runToRest();

            assertThat(bed.naks()).as("NAKs on the wire").isEqualTo(row.naks());
            checkRequester(row, bed);
            checkReceives(row, bed);
            assertThat(ErrorBed.events(bed.nodes.b))
                    .as("events at the responder")
                    .isEqualTo(row.responderEvents());
            assertThat(ErrorBed.events(bed.nodes.a))
                    .as("events at the requester")
                    .isEqualTo(row.requesterEvents());
            assertThat(bed.responder.query().state()).isEqualTo(row.responder());
        }
    }

    /** The request that fails says why; the one behind it is flushed, and names the first error. */
    private static void checkRequester(ErrorRow row, ErrorBed bed) {
        List<WorkCompletion> done = bed.sent();
        assertThat(bed.requester.query().state()).isEqualTo(QueuePairState.ERR);
        assertThat(done).extracting(WorkCompletion::workRequestId).containsExactly(ErrorBed.FAILING, ErrorBed.BEHIND);
        assertThat(done)
                .extracting(WorkCompletion::status)
                .containsExactly(row.status(), WorkCompletionStatus.WR_FLUSH_ERR);
        assertThat(done).extracting(WorkCompletion::queuePairNumber).containsOnly(bed.requester.number());
        assertThat(done).extracting(WorkCompletion::vendorError).containsExactly(row.vendorError(), 0);
        assertThat(done.get(0).cause()).isNotEmpty().contains(row.cause());
        assertThat(done.get(1).cause())
                .contains(row.status().toString(), done.get(0).cause());
    }

    private static void checkReceives(ErrorRow row, ErrorBed bed) {
        List<WorkCompletion> done = bed.received();
        assertThat(done.stream()
                        .map(each -> each.workRequestId() + " " + each.status().name()))
                .isEqualTo(row.received());
        String first = "";
        for (WorkCompletion each : done) {
            if (each.isSuccess()) {
                continue;
            }
            assertThat(each.queuePairNumber()).isEqualTo(bed.responder.number());
            assertThat(each.cause()).isNotEmpty();
            boolean isFlushed = each.status() == WorkCompletionStatus.WR_FLUSH_ERR;
            assertThat(each.vendorError()).isEqualTo(isFlushed ? 0 : row.vendorError());
            assertThat(isFlushed ? each.cause() : "").contains(first);
            first = isFlushed ? first : each.cause();
        }
    }
}
