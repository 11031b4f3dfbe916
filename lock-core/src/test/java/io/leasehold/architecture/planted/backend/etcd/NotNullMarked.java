package io.leasehold.architecture.planted.backend.etcd;

class NotNullMarked {

    Object value = "";
}
