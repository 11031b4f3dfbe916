package io.leasehold.architecture;

import io.leasehold.jdbc.JdbcLockBackend;
import java.util.List;

/** The packages of lock-jdbc and the packages that each of them may see. */
class JdbcArchitectureTests extends ArchitectureContract {

    private static final List<PackageRule> PACKAGES = List.of(
            PackageRule.of("jdbc", "", "spi", "support", "jdbc.connection", "jdbc.table", "jdbc.waiting")
                    .with("javax.sql", "com.zaxxer.hikari"),
            PackageRule.of("jdbc.connection", "spi", "support")
                    .with("javax.sql", "javax.net.ssl", "org.postgresql", "com.zaxxer.hikari"),
            PackageRule.of("jdbc.table", "", "spi", "jdbc.connection"),
            PackageRule.of("jdbc.waiting", "spi", "support", "jdbc.connection", "jdbc.table")
                    .with("org.slf4j", "org.postgresql"),
            PackageRule.of("jdbc.row", "", "spi", "support", "jdbc", "jdbc.connection", "jdbc.table")
                    .with("javax.sql", "com.zaxxer.hikari"));

    JdbcArchitectureTests() {
        super(JdbcLockBackend.class, PACKAGES);
    }

    @Override
    protected List<PackageRule> databasePackages() {
        return PACKAGES;
    }
}
