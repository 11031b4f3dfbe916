package io.leasehold.architecture.violating.jdbc;

import org.junit.jupiter.api.Test;

abstract class SeesJUnit implements Test {}
