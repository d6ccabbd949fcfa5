package io.rdma4j.verbs;

/** Why a control call was refused: the names and numbers of Linux {@code errno}, on every operating system. */
public enum ErrorCode {
    /** Not permitted. */
    EPERM(1),
    /** No such thing, such as an entry or a device of that name. */
    ENOENT(2),
    /** A waiting thread was interrupted; its interrupt status stays set. */
    EINTR(4),
    /** Input or output failed below. */
    EIO(5),
    /** The object is closed. */
    EBADF(9),
    /** Not now; try again. */
    EAGAIN(11),
    /** No room: a queue is full or a table is at its limit. */
    ENOMEM(12),
    /** Access to an address is denied. */
    EACCES(13),
    /** Memory cannot be accessed. */
    EFAULT(14),
    /** The object has living children or unacknowledged events; the message names them. */
    EBUSY(16),
    /** It exists already. */
    EEXIST(17),
    /** The device is closed or gone. */
    ENODEV(19),
    /** An argument or the state of an object does not allow the call; the message says which and why. */
    EINVAL(22),
    /** No space left in a bounded pool. */
    ENOSPC(28),
    /** Waiting here would wait for oneself: the call was made on a device's loop thread. */
    EDEADLK(35),
    /** The function does not exist here. */
    ENOSYS(38),
    /** A message is longer than the transport can carry. */
    EMSGSIZE(90),
    /** The protocol is not known; no provider for a URI scheme. */
    EPROTONOSUPPORT(93),
    /** The device does not support the operation. */
    EOPNOTSUPP(95),
    /** Address and port are taken by another socket. */
    EADDRINUSE(98),
    /** The address is not one of this host. */
    EADDRNOTAVAIL(99),
    /** No route to the network. */
    ENETUNREACH(101),
    /** The peer reset the connection. */
    ECONNRESET(104),
    /** Not connected. */
    ENOTCONN(107),
    /** Nothing came in time. */
    ETIMEDOUT(110),
    /** Nobody listens at the peer. */
    ECONNREFUSED(111),
    /** No route to the host. */
    EHOSTUNREACH(113),
    /** The operation was given up before it was done. */
    ECANCELED(125);

    private final int code;

    ErrorCode(int code) {
        this.code = code;
    }

    /** {@return the Linux errno number, such as 22 for {@link #EINVAL}} */
    public int code() {
        return code;
    }
}
