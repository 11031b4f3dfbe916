package io.leasehold.architecture.violating.fencing;

import org.slf4j.Logger;

abstract class SeesLogger implements Logger {}
