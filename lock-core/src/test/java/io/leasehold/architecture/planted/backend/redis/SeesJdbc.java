package io.leasehold.architecture.planted.backend.redis;

import javax.sql.DataSource;

abstract class SeesJdbc implements DataSource {}
