package io.leasehold.architecture.violating.autoconfigure.diagnostics;

import io.leasehold.architecture.violating.autoconfigure.etcd.SeesNetty;

public class SeesEtcd {

    SeesNetty seen;
}
