package io.leasehold.rooms.planted.autoconfigure.jdbc;

import io.leasehold.rooms.planted.autoconfigure.etcd.SeesNetty;

public class SeesEtcd {

    SeesNetty seen;
}
