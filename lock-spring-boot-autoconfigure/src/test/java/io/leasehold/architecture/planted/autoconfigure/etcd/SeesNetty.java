package io.leasehold.architecture.planted.autoconfigure.etcd;

import io.netty.channel.EventLoop;

public class SeesNetty {

    EventLoop seen;
}
