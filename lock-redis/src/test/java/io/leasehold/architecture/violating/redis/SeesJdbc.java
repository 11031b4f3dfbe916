package io.leasehold.architecture.violating.redis;

import javax.sql.DataSource;

abstract class SeesJdbc implements DataSource {}
