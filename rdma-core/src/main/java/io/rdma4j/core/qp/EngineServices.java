package io.rdma4j.core.qp;

import io.rdma4j.core.memory.MemoryTable;
import io.rdma4j.core.queue.CompletionRing;
import io.rdma4j.verbs.AsyncEventType;

/** What a transport needs of the engine around it. Owner thread. */
public interface EngineServices {
    MemoryTable memory();

    EngineCounters counters();

    /** The queue pair may have a request to send. */
    void readyToSend(QpContext qp);

    /** The queue pair has a response to send. */
    void readyToRespond(QpContext qp);

    /** The queue pair's deadline has changed; a later one is noticed when the earlier expires. */
    void deadlineChanged(QpContext qp);

    /** Budget came free at the peer of this queue pair. */
    void budgetFreed(QpContext qp);

    /** The queue pair leaves its multicast groups (§14). */
    void leaveGroups(QpContext qp);

    /** Reports an asynchronous event (§10). */
    void event(AsyncEventType type, int number);

    /** A completion was lost: the ring and the queue pairs on it are done for (§10). */
    void completionOverrun(CompletionRing ring);
}
