package io.leasehold.architecture.violating.autoconfigure.web;

import io.leasehold.architecture.violating.autoconfigure.etcd.SeesNetty;

public class SeesEtcd {

    SeesNetty seen;
}
