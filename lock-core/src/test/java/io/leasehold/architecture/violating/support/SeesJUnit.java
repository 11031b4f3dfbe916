package io.leasehold.architecture.violating.support;

import org.junit.jupiter.api.Test;

abstract class SeesJUnit implements Test {}
