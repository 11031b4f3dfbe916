package io.leasehold.architecture.violating.autoconfigure.etcd;

import io.netty.channel.EventLoop;

public class SeesNetty {

    EventLoop seen;
}
