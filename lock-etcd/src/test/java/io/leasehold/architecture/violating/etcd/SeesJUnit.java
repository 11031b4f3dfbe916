package io.leasehold.architecture.violating.etcd;

import org.junit.jupiter.api.Test;

abstract class SeesJUnit implements Test {}
