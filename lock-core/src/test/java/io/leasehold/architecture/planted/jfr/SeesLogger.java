package io.leasehold.architecture.planted.jfr;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class SeesLogger {

    Logger seen = LoggerFactory.getLogger(SeesLogger.class);
}
