package io.leasehold.architecture.violating.engine;

import java.util.Date;

class UsesOldDates {

    long time(Date date) {
        return date.getTime();
    }
}
