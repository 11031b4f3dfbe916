package io.leasehold.architecture.planted.etcd;

class NotNullMarked {

    Object value = "";
}
