package io.leasehold.architecture.violating.memory;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class SeesLogger {

    Logger seen = LoggerFactory.getLogger(SeesLogger.class);
}
