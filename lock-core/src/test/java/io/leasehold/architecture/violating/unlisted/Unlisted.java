package io.leasehold.architecture.violating.unlisted;

class Unlisted {

    Object value = "";
}
