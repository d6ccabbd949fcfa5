package io.rdma4j.tools.vsh.shell;

import io.rdma4j.verbs.WorkCompletion;

/** Completions as text: {@code [wrid=1 status=0(success) opcode=2 len=8 ...]}. */
final class CompletionText {
    private CompletionText() {}

    static String of(WorkCompletion completion) {
        String words = completion.status().description().replace(' ', '_');
        StringBuilder text = new StringBuilder(96)
                .append("[wrid=")
                .append(Long.toUnsignedString(completion.workRequestId()))
                .append(" status=")
                .append(completion.status().code())
                .append('(')
                .append(words)
                .append(')');
        if (completion.isSuccess()) {
            appendResult(text, completion);
        }
        return text.append(" qpn=")
                .append(completion.queuePairNumber())
                .append(" srcqp=")
                .append(completion.sourceQueuePair())
                .append(" vendor=0x")
                .append(Integer.toHexString(completion.vendorError()))
                .append(']')
                .toString();
    }

    /** Only of a success: on errors these fields are undefined (ibv_poll_cq). */
    private static void appendResult(StringBuilder text, WorkCompletion completion) {
        int extra = completion.hasInvalidated() ? completion.invalidatedKey() : completion.immediateData();
        text.append(" opcode=")
                .append(completion.opcode().code())
                .append(" len=")
                .append(completion.byteLength())
                .append(" flags=0x")
                .append(Integer.toHexString(completion.flags()))
                .append(" imm=0x")
                .append(Integer.toHexString(extra));
    }
}
