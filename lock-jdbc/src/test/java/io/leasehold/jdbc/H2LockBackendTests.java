package io.leasehold.jdbc;

/** H2. */
class H2LockBackendTests extends JdbcContract {

    H2LockBackendTests() {
        super(new UrlDataSource("jdbc:h2:mem:contract;DB_CLOSE_DELAY=-1"));
    }
}
