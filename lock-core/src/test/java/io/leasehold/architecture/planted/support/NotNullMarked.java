package io.leasehold.architecture.planted.support;

class NotNullMarked {

    Object value = "";
}
