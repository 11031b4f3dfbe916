package io.leasehold.architecture.planted.redis;

import javax.sql.DataSource;

abstract class SeesJdbc implements DataSource {}
