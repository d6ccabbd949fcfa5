package io.rdma4j.tools.vsh.shell;

import io.rdma4j.verbs.AsyncEventType;

/** Asynchronous events in the words of {@code ibv_event_type_str}. */
final class EventWords {
    private EventWords() {}

    static String of(AsyncEventType type) {
        return switch (type) {
            case CQ_ERR -> "CQ error";
            case QP_FATAL -> "local work queue catastrophic error";
            case QP_REQ_ERR -> "invalid request local work queue error";
            case QP_ACCESS_ERR -> "local access violation work queue error";
            case COMM_EST -> "communication established";
            case SQ_DRAINED -> "send queue drained";
            case PATH_MIG -> "path migrated";
            case PATH_MIG_ERR -> "path migration request error";
            case DEVICE_FATAL -> "local catastrophic error";
            case PORT_ACTIVE -> "port active";
            case PORT_ERR -> "port error";
            case LID_CHANGE -> "LID change";
            case PKEY_CHANGE -> "P_Key change";
            case SM_CHANGE -> "SM change";
            case SRQ_ERR -> "SRQ catastrophic error";
            case SRQ_LIMIT_REACHED -> "SRQ limit reached";
            case QP_LAST_WQE_REACHED -> "last WQE reached";
            case CLIENT_REREGISTER -> "client reregistration";
            case GID_CHANGE -> "GID table change";
            case WQ_FATAL -> "WQ fatal";
            case DEVICE_SPEED_CHANGE -> "device speed change";
        };
    }
}
