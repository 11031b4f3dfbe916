package io.leasehold.architecture.planted;

import org.slf4j.Logger;

abstract class SeesLogger implements Logger {}
