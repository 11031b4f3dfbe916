package io.leasehold.architecture.violating.memory;

import javax.sql.DataSource;

abstract class SeesJdbc implements DataSource {}
