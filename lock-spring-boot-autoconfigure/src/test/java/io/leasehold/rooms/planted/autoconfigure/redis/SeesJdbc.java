package io.leasehold.rooms.planted.autoconfigure.redis;

import io.leasehold.rooms.planted.autoconfigure.jdbc.SeesEtcd;

public class SeesJdbc {

    SeesEtcd seen;
}
