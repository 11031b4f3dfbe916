package io.leasehold.architecture.planted.jdbc;

import org.junit.jupiter.api.Test;

abstract class SeesJUnit implements Test {}
