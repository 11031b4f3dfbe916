package io.leasehold.architecture.planted.memory;

import javax.sql.DataSource;

abstract class SeesJdbc implements DataSource {}
