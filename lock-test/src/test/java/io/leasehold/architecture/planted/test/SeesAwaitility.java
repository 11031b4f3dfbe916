package io.leasehold.architecture.planted.test;

import org.awaitility.core.ThrowingRunnable;

abstract class SeesAwaitility implements ThrowingRunnable {}
