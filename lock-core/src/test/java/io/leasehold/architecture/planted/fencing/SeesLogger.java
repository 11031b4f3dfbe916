package io.leasehold.architecture.planted.fencing;

import org.slf4j.Logger;

abstract class SeesLogger implements Logger {}
