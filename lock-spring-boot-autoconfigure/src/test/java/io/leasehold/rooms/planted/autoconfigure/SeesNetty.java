package io.leasehold.rooms.planted.autoconfigure;

import io.netty.channel.EventLoop;

public class SeesNetty {

    EventLoop seen;
}
