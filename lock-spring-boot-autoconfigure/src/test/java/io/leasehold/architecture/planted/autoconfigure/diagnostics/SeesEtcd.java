package io.leasehold.architecture.planted.autoconfigure.diagnostics;

import io.leasehold.architecture.planted.autoconfigure.etcd.SeesNetty;

public class SeesEtcd {

    SeesNetty seen;
}
