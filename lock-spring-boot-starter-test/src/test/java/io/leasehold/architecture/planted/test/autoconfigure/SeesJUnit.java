package io.leasehold.architecture.planted.test.autoconfigure;

import org.junit.jupiter.api.Test;

abstract class SeesJUnit implements Test {}
