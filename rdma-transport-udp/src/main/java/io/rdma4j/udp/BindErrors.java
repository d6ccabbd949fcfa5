package io.rdma4j.udp;

import io.netty.channel.unix.Errors;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;

/** Turns the reasons for which a bind fails into errors that say what to do. */
final class BindErrors {
    private BindErrors() {}

    static RdmaException explain(InetSocketAddress local, Throwable cause) {
        String host = local.getAddress().getHostAddress();
        String text = String.valueOf(cause.getMessage());
        if (isNobodys(local)
                || errno(cause) == ErrorCode.EADDRNOTAVAIL.code()
                || text.contains("assign requested address")) {
            return LocalAddress.unknown(host, cause);
        }
        if (errno(cause) == ErrorCode.EADDRINUSE.code() || cause instanceof BindException) {
            return new RdmaException(
                    ErrorCode.EADDRINUSE,
                    "UDP port " + local.getPort() + " of " + host
                            + " is taken by another process or the rdma_rxe module; open with ?port=0 (a free port) or"
                            + " another port, on another address such as 127.0.0.2, or stop the other one",
                    cause);
        }
        return new RdmaException(
                ErrorCode.ENODEV, "cannot open UDP " + host + ":" + local.getPort() + ": " + text, cause);
    }

    private static boolean isNobodys(InetSocketAddress local) {
        try {
            return InterfaceMtu.interfaceOf(local.getAddress()) == null;
        } catch (SocketException e) {
            return false;
        }
    }

    private static int errno(Throwable cause) {
        return cause instanceof Errors.NativeIoException io ? -io.expectedErr() : 0;
    }
}
