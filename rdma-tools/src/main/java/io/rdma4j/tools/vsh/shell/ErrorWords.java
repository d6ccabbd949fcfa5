package io.rdma4j.tools.vsh.shell;

import io.rdma4j.verbs.ErrorCode;

/** Error codes in the words of the C library's {@code strerror}. */
final class ErrorWords {
    private ErrorWords() {}

    static String of(ErrorCode code) {
        return switch (code) {
            case EPERM -> "Operation not permitted";
            case ENOENT -> "No such file or directory";
            case EINTR -> "Interrupted system call";
            case EIO -> "Input/output error";
            case EBADF -> "Bad file descriptor";
            case EAGAIN -> "Resource temporarily unavailable";
            case ENOMEM -> "Cannot allocate memory";
            case EACCES -> "Permission denied";
            case EFAULT -> "Bad address";
            case EBUSY -> "Device or resource busy";
            case EEXIST -> "File exists";
            case ENODEV -> "No such device";
            case EINVAL -> "Invalid argument";
            case ENOSPC -> "No space left on device";
            case EDEADLK -> "Resource deadlock avoided";
            case ENOSYS -> "Function not implemented";
            case EMSGSIZE -> "Message too long";
            case EPROTONOSUPPORT -> "Protocol not supported";
            case EOPNOTSUPP -> "Operation not supported";
            case EADDRINUSE -> "Address already in use";
            case EADDRNOTAVAIL -> "Cannot assign requested address";
            case ENETUNREACH -> "Network is unreachable";
            case ECONNRESET -> "Connection reset by peer";
            case ENOTCONN -> "Transport endpoint is not connected";
            case ETIMEDOUT -> "Connection timed out";
            case ECONNREFUSED -> "Connection refused";
            case EHOSTUNREACH -> "No route to host";
            case ECANCELED -> "Operation canceled";
        };
    }
}
