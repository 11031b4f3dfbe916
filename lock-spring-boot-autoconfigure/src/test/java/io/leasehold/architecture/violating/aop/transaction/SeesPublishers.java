package io.leasehold.architecture.violating.aop.transaction;

import reactor.core.publisher.Mono;

public class SeesPublishers {

    Mono<String> seen;
}
