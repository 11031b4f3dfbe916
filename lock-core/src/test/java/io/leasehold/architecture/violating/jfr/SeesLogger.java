package io.leasehold.architecture.violating.jfr;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class SeesLogger {

    Logger seen = LoggerFactory.getLogger(SeesLogger.class);
}
