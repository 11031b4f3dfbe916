package io.leasehold.architecture.planted.etcd.client;

import org.junit.jupiter.api.Test;

abstract class SeesJUnit implements Test {}
