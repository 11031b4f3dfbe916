package io.leasehold.architecture.planted.support;

import org.junit.jupiter.api.Test;

abstract class SeesJUnit implements Test {}
