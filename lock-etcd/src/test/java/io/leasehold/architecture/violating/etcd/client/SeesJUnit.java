package io.leasehold.architecture.violating.etcd.client;

import org.junit.jupiter.api.Test;

abstract class SeesJUnit implements Test {}
