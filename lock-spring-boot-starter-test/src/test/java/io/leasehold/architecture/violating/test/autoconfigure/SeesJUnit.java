package io.leasehold.architecture.violating.test.autoconfigure;

import org.junit.jupiter.api.Test;

abstract class SeesJUnit implements Test {}
