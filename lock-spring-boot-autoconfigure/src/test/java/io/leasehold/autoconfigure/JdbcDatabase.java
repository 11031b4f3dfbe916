package io.leasehold.autoconfigure;

import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.PlatformTransactionManager;

/** A database of an application's own in memory, with transactions. A configuration class extends it. */
public abstract class JdbcDatabase {

    private final String[] statements;

    protected JdbcDatabase(String... statements) {
        this.statements = statements;
    }

    @Bean
    DataSource dataSource() {
        return new EmbeddedDatabaseBuilder()
                .setType(EmbeddedDatabaseType.H2)
                .generateUniqueName(true)
                .build();
    }

    @Bean
    PlatformTransactionManager transactionManager(DataSource dataSource) {
        return new DataSourceTransactionManager(dataSource);
    }

    @Bean
    JdbcClient jdbcClient(DataSource dataSource) {
        JdbcClient client = JdbcClient.create(dataSource);
        for (String statement : statements) {
            client.sql(statement).update();
        }
        return client;
    }
}
