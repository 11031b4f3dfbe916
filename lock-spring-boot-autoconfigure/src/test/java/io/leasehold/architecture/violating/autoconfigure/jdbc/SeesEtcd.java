package io.leasehold.architecture.violating.autoconfigure.jdbc;

import io.leasehold.architecture.violating.autoconfigure.etcd.SeesNetty;

public class SeesEtcd {

    SeesNetty seen;
}
