package io.leasehold.architecture.violating.autoconfigure.redis;

import io.leasehold.architecture.violating.autoconfigure.jdbc.SeesEtcd;

public class SeesJdbc {

    SeesEtcd seen;
}
