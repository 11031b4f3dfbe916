package io.leasehold.architecture.planted.autoconfigure.adapter;

import io.leasehold.architecture.planted.autoconfigure.etcd.SeesNetty;

public class SeesEtcd {

    SeesNetty seen;
}
