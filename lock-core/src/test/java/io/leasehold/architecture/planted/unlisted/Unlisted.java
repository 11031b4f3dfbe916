package io.leasehold.architecture.planted.unlisted;

class Unlisted {

    Object value = "";
}
