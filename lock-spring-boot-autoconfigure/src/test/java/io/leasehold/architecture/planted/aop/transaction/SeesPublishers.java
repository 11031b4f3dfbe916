package io.leasehold.architecture.planted.aop.transaction;

import reactor.core.publisher.Mono;

public class SeesPublishers {

    Mono<String> seen;
}
