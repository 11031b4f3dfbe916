package io.leasehold.architecture.planted.autoconfigure.jdbc;

import io.leasehold.architecture.planted.autoconfigure.etcd.SeesNetty;

public class SeesEtcd {

    SeesNetty seen;
}
