package io.leasehold.etcd.client;

import io.grpc.Status;
import io.leasehold.spi.BackendFailure;

/** A call that failed, with an error of etcd or without an answer. */
public final class EtcdFailure extends BackendFailure {

    private static final long serialVersionUID = 1L;

    EtcdFailure(Effect effect, Status status) {
        super(effect, describe(status), status.asRuntimeException());
    }

    public Status status() {
        return Status.fromThrowable(getCause());
    }

    private static String describe(Status status) {
        StringBuilder message = new StringBuilder("etcd: ").append(status.getCode());
        if (status.getDescription() != null) {
            message.append(", ").append(status.getDescription());
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
