package io.leasehold.architecture.violating.test;

import org.awaitility.core.ThrowingRunnable;

abstract class SeesAwaitility implements ThrowingRunnable {}
