package io.leasehold.architecture.violating.support;

class NotNullMarked {

    Object value = "";
}
