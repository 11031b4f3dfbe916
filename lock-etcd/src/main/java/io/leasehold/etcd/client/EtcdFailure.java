package io.leasehold.etcd.client;

import io.grpc.Status;
import io.leasehold.spi.BackendFailure;
import java.net.UnknownHostException;

/** A call that failed, with an error of etcd or without an answer. */
public final class EtcdFailure extends BackendFailure {

    private static final long serialVersionUID = 1L;

    EtcdFailure(Effect effect, Status status) {
        super(effect, describe(status), status.asRuntimeException());
    }

    public Status status() {
        return Status.fromThrowable(getCause());
    }

    /** The message of the exception that ended the connection; empty if there is none. */
    private static String reason(Status status) {
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                return cause.getMessage();
            }
        }
        return "";
    }

    private static String describe(Status status) {
        StringBuilder message = new StringBuilder("etcd: ").append(status.getCode());
        if (status.getDescription() != null) {
            // The transport adds its channel pipeline on further lines.
            message.append(", ")
                    .append(status.getDescription().lines().findFirst().orElse(""));
        }
        String reason = reason(status);
        boolean hasUnknownHost = EtcdErrors.hasCause(status.getCause(), UnknownHostException.class);
        if (!hasUnknownHost && message.indexOf(reason) < 0) {
            message.append(": ").append(reason);
        }
        if (EtcdErrors.isTlsFailure(status.getCause())) {
            message.append(
                    ". TLS failed: use a host name in 'lock.etcd.endpoints' that is in the server's certificate, and set"
                            + " 'lock.etcd.ssl.bundle' to an SSL bundle that trusts this certificate, with a client"
                            + " certificate if the server requires one");
        }
        if (EtcdErrors.says(status, "authentication failed")) {
            message.append(". Correct 'lock.etcd.user' or 'lock.etcd.password'");
        }
        if (hasUnknownHost) {
            message.append(". The name of the host cannot be resolved: correct it, or check the DNS");
        }
        if (EtcdErrors.says(status, "database space exceeded")) {
            message.append(". Compact and defragment, or raise --quota-backend-bytes, then disarm the NOSPACE alarm");
        }
        if (status.getCode() == Status.Code.PERMISSION_DENIED) {
            message.append(". The user needs read and write access to all keys that begin with the key prefix");
        }
        return message.toString();
    }
}
