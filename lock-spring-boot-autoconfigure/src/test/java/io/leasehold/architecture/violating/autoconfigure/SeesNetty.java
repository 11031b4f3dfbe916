package io.leasehold.architecture.violating.autoconfigure;

import io.netty.channel.EventLoop;

public class SeesNetty {

    EventLoop seen;
}
