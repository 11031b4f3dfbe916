package io.leasehold.architecture.planted.autoconfigure.redis;

import io.leasehold.architecture.planted.autoconfigure.jdbc.SeesEtcd;

public class SeesJdbc {

    SeesEtcd seen;
}
