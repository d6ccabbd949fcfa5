package io.rdma4j.testkit.scenario;

import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.List;
import java.util.function.Consumer;

/**
 * A row of the error tables of §8: how it is provoked, and what is to be seen of it on the wire and on both sides.
 *
 * @param name the condition
 * @param bed the two sides, not yet connected
 * @param provoke connects them and posts
 * @param naks what the responder answers, each as {@code 0x62 psn 256}
 * @param received completions of the responder's receives, each as {@code 1001 LOC_LEN_ERR}
 * @param responderEvents asynchronous events at the responder
 * @param responder its state at the end
 * @param status how the request ends
 * @param vendorError the vendor error with it
 * @param cause words that its cause contains
 * @param requesterEvents asynchronous events at the requester
 */
record ErrorRow(
        String name,
        Bed bed,
        Consumer<ErrorBed> provoke,
        List<String> naks,
        List<String> received,
        List<String> responderEvents,
        QueuePairState responder,
        WorkCompletionStatus status,
        int vendorError,
        String cause,
        List<String> requesterEvents) {
    /** What two sides a row needs. */
    @FunctionalInterface
    interface Bed {
        ErrorBed make();
    }

    private static final List<String> NOTHING = List.of();

    /** Nothing is to be seen at a responder that stays in RTS. */
    static ErrorRow of(String name, Consumer<ErrorBed> provoke, WorkCompletionStatus status) {
        return new ErrorRow(
                name, ErrorBed::new, provoke, NOTHING, NOTHING, NOTHING, QueuePairState.RTS, status, 0, "", NOTHING);
    }

    /** The responder fails with this NAK, and the request with its status. */
    static ErrorRow fatal(String name, Consumer<ErrorBed> provoke, int syndrome, int psn) {
        WorkCompletionStatus status = switch (syndrome) {
            case 0x61 -> WorkCompletionStatus.REM_INV_REQ_ERR;
            case 0x62 -> WorkCompletionStatus.REM_ACCESS_ERR;
            case 0x63 -> WorkCompletionStatus.REM_OP_ERR;
            default -> throw new IllegalArgumentException("syndrome " + syndrome);
        };
        return of(name, provoke, status)
                .naks(String.format("0x%02x psn %d", syndrome, psn))
                .vendor(syndrome)
                .responderIn(QueuePairState.ERR);
    }

    ErrorRow on(Bed other) {
        return new ErrorRow(
                name,
                other,
                provoke,
                naks,
                received,
                responderEvents,
                responder,
                status,
                vendorError,
                cause,
                requesterEvents);
    }

    ErrorRow naks(String... lines) {
        return new ErrorRow(
                name,
                bed,
                provoke,
                List.of(lines),
                received,
                responderEvents,
                responder,
                status,
                vendorError,
                cause,
                requesterEvents);
    }

    ErrorRow received(String... lines) {
        return new ErrorRow(
                name,
                bed,
                provoke,
                naks,
                List.of(lines),
                responderEvents,
                responder,
                status,
                vendorError,
                cause,
                requesterEvents);
    }

    /** Both receives are flushed. */
    ErrorRow flushed() {
        return received("1001 WR_FLUSH_ERR", "1002 WR_FLUSH_ERR");
    }

    ErrorRow event(String... types) {
        return new ErrorRow(
                name,
                bed,
                provoke,
                naks,
                received,
                List.of(types),
                responder,
                status,
                vendorError,
                cause,
                requesterEvents);
    }

    ErrorRow responderIn(QueuePairState state) {
        return new ErrorRow(
                name,
                bed,
                provoke,
                naks,
                received,
                responderEvents,
                state,
                status,
                vendorError,
                cause,
                requesterEvents);
    }

    ErrorRow vendor(int error) {
        return new ErrorRow(
                name, bed, provoke, naks, received, responderEvents, responder, status, error, cause, requesterEvents);
    }

    ErrorRow because(String words) {
        return new ErrorRow(
                name,
                bed,
                provoke,
                naks,
                received,
                responderEvents,
                responder,
                status,
                vendorError,
                words,
                requesterEvents);
    }

    ErrorRow requesterEvent(String... types) {
        return new ErrorRow(
                name,
                bed,
                provoke,
                naks,
                received,
                responderEvents,
                responder,
                status,
                vendorError,
                cause,
                List.of(types));
    }

    @Override
    public String toString() {
        return name;
    }
}
