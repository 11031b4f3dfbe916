package io.leasehold.architecture.planted.engine;

import java.util.Date;

class UsesOldDates {

    long time(Date date) {
        return date.getTime();
    }
}
