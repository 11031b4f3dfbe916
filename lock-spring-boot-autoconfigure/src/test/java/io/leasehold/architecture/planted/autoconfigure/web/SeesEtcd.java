package io.leasehold.architecture.planted.autoconfigure.web;

import io.leasehold.architecture.planted.autoconfigure.etcd.SeesNetty;

public class SeesEtcd {

    SeesNetty seen;
}
