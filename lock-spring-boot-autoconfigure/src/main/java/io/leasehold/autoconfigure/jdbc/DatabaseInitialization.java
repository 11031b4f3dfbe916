package io.leasehold.autoconfigure.jdbc;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * The initialization of the application's database by Flyway, Liquibase or scripts. A store of locks is opened after it,
 * since the initialization may create the schema and the tables of the locks, and Flyway refuses a schema with tables.
 */
@Configuration(proxyBeanMethods = false)
class DatabaseInitialization {

    private static final Logger log = LoggerFactory.getLogger(DatabaseInitialization.class);

    private static final String COMPLETED = "leaseholdDatabaseInitialization";

    /** Spring Boot lets this bean depend on those that initialize the database. */
    @Bean(COMPLETED)
    @Lazy
    @DependsOnDatabaseInitialization
    Completed leaseholdDatabaseInitialization() {
        return new Completed();
    }

    /**
     * Initializes the database, unless the locker is created for the initialization itself.
     *
     * @param prefix the prefix of the store's properties
     */
    static void complete(BeanFactory beans, String prefix) {
        try {
            beans.getBean(COMPLETED);
        } catch (BeanCreationException ex) {
            if (!ex.contains(BeanCurrentlyInCreationException.class)) {
                throw ex;
            }
            log.info(
                    "The store of '{}' is opened before the database is initialized, since a bean that the initialization"
                            + " needs has a locker of that store. The table must exist by then. Flyway refuses a schema in which"
                            + " 'initialize-schema' has created it, unless 'spring.flyway.baseline-on-migrate' is true",
                    prefix);
            log.debug("The initialization depends on a locker", ex);
        }
    }

    /** Exists after the initialization. */
    static final class Completed {}
}
