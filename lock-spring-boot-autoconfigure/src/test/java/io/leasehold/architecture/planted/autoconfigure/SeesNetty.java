package io.leasehold.architecture.planted.autoconfigure;

import io.netty.channel.EventLoop;

public class SeesNetty {

    EventLoop seen;
}
