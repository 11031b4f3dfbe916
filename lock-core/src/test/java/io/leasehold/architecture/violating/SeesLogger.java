package io.leasehold.architecture.violating;

import org.slf4j.Logger;

abstract class SeesLogger implements Logger {}
