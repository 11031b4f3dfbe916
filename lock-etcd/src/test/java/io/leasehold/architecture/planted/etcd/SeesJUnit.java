package io.leasehold.architecture.planted.etcd;

import org.junit.jupiter.api.Test;

abstract class SeesJUnit implements Test {}
