package io.leasehold.architecture.violating.autoconfigure.adapter;

import io.leasehold.architecture.violating.autoconfigure.etcd.SeesNetty;

public class SeesEtcd {

    SeesNetty seen;
}
