package io.leasehold.mistakes;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Locker;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.servers.database.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * A database that cannot be reached, that refuses, or without the tables. The wait time is long, and no caller waits.
 */
class DatabaseMistakesTests extends MistakesPage {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, LockAutoConfiguration.class))
            .withPropertyValues("lock.backend=jdbc", "lock.lockers.deploy.ttl=30s");

    @Test
    void wrongPort() {
        lock("lock.lockers.deploy.wait-time=0s", "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/shop");
    }

    @Test
    void unknownHost() {
        lock("lock.lockers.deploy.wait-time=0s", "spring.datasource.url=jdbc:postgresql://db.invalid/shop");
    }

    @Test
    void wrongPassword() {
        MariaDbServer server = MariaDbServer.shared();
        execute(server.url(), "CREATE OR REPLACE USER shop IDENTIFIED BY 'secret'");
        lock(
                "lock.lockers.deploy.wait-time=1h",
                "spring.datasource.url=jdbc:mariadb://127.0.0.1:" + server.port() + "/locks?sslMode=disable",
                "spring.datasource.username=shop",
                "spring.datasource.password=wrong");
    }

    @Test
    void missingDatabase() {
        lock(
                "lock.lockers.deploy.wait-time=1h",
                "lock.jdbc.url=jdbc:postgresql://127.0.0.1:"
                        + PostgresServer.shared().port() + "/shpo",
                "lock.jdbc.username=postgres");
    }

    @Test
    void missingTable() {
        lock(
                "lock.lockers.deploy.wait-time=1h",
                "lock.jdbc.table=missing_lease",
                "spring.datasource.url=" + PostgresServer.shared().url());
    }

    @Test
    void readOnlyUser() {
        String url = PostgresServer.shared().url();
        execute(url, "DROP ROLE IF EXISTS reader", "CREATE ROLE reader LOGIN");
        runner.withPropertyValues(
                        "lock.jdbc.table=readable_lease",
                        "lock.jdbc.initialize-schema=true",
                        "spring.datasource.url=" + url)
                .run(context -> assertThat(context).hasNotFailed().hasBean("deployLocker"));
        lock(
                "lock.lockers.deploy.wait-time=1h",
                "lock.jdbc.table=readable_lease",
                "spring.datasource.url=" + url.replace("user=postgres", "user=reader"));
    }

    private static void execute(String url, String... statements) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException ex) {
            throw new IllegalStateException(ex);
        }
    }

    private void lock(String... properties) {
        runner.withPropertyValues(properties)
                .run(context -> assertOnPage(Assertions.catchThrowable(
                        () -> context.getBean("deployLocker", Locker.class).lock("service-a"))));
    }
}
