package io.leasehold.jdbc;

import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.MultiPrimaryCluster;
import io.leasehold.jdbc.connection.SqlError;
import io.leasehold.jdbc.connection.SqlErrorTranslator;
import io.leasehold.jdbc.connection.SqlWork;
import io.leasehold.jdbc.connection.StorageEngine;
import io.leasehold.jdbc.table.UniqueKey;
import io.leasehold.spi.SafetyFinding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Detects settings that make locks in a database less safe than they could be. */
public final class JdbcInspection {

    /** Whether PostgreSQL has standbys and none is synchronous. Subscribers of logical replication are no standbys. */
    private static final String HAS_ASYNCHRONOUS_STANDBYS = """
            SELECT current_setting('synchronous_standby_names') = '' AND EXISTS (
                SELECT FROM pg_stat_replication r WHERE NOT EXISTS (
                    SELECT FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical'))""";

    private final JdbcSchema schema;

    private final List<TableCheck> tables;

    public JdbcInspection(JdbcSchema schema, TableCheck... tables) {
        this.schema = schema;
        this.tables = List.of(tables);
    }

    /** Fails if a table cannot be read and written, or may have several rows for one lock or one for several. */
    public boolean requireTables(LockConnection session) throws SQLException {
        for (TableCheck table : tables) {
            table.check().run(session);
            UniqueKey.require(session, table.name());
        }
        return true;
    }

    public List<SafetyFinding> of(LockConnection session) throws SQLException {
        List<SafetyFinding> findings = new ArrayList<>(server(session));
        for (TableCheck table : tables) {
            try {
                table.check().run(session);
                StorageEngine.withoutTransactions(session, table.name())
                        .ifPresent(engine -> findings.add(finding(table.name(), engine)));
                if (isUnlogged(session, table.name())) {
                    findings.add(new SafetyFinding(
                            "table " + table.name(),
                            "it is unlogged, so that a crash of the server and a failover forget all locks",
                            "Run: ALTER TABLE " + table.name() + " SET LOGGED"));
                }
                UniqueKey.fault(session, table.name()).ifPresent(findings::add);
            } catch (SQLException ex) {
                findings.add(finding(table.name(), ex, session.dialect()));
            }
        }
        return findings;
    }

    private static boolean isUnlogged(LockConnection session, String table) throws SQLException {
        return session.dialect() == DatabaseDialect.POSTGRESQL
                && session.queryForText("SELECT relpersistence FROM pg_class WHERE oid = to_regclass('" + table + "')")
                        .equals("u");
    }

    private static SafetyFinding finding(String table, String engine) {
        return new SafetyFinding(
                "table " + table,
                "its storage engine " + engine + " has no transactions, so that it has no row locks, and a crash of the"
                        + " server may forget locks",
                "Run: ALTER TABLE " + table + " ENGINE = InnoDB");
    }

    private SafetyFinding finding(String table, SQLException ex, DatabaseDialect dialect) throws SQLException {
        String subject = "table " + table;
        return switch (SqlError.classify(ex, dialect)) {
            case MISSING_TABLE ->
                new SafetyFinding(
                        subject, "it is missing, so that no lock can be taken", schema.adviceWithSql(dialect));
            case MISSING_COLUMN ->
                new SafetyFinding(
                        subject,
                        "it lacks a column, so that no lock can be taken: " + SqlErrorTranslator.words(ex),
                        schema.upgradeAdviceWithSql(dialect));
            case REFUSED -> refused(subject, ex);
            case NOT_DONE ->
                new SafetyFinding(
                        subject,
                        "it cannot be written to, so that no lock can be taken: " + SqlErrorTranslator.words(ex),
                        "Lead the locks' connections to the primary, with a user whose sessions are not read-only by"
                                + " default");
            default -> throw ex;
        };
    }

    private SafetyFinding refused(String subject, SQLException ex) {
        String words = ", so that no lock can be taken: " + SqlErrorTranslator.words(ex);
        if (SqlErrorTranslator.isOfStatementLog(ex)) {
            return new SafetyFinding(
                    subject, "it cannot be written to" + words, SqlErrorTranslator.STATEMENT_LOG_ADVICE);
        }
        return SqlErrorTranslator.lacksRights(ex)
                ? new SafetyFinding(subject, "the user may not write to it" + words, schema.grantAdvice())
                : new SafetyFinding(subject, "the database refused the statement" + words, schema.nameAdvice());
    }

    /** Findings about the server, independent of the kind of lock. */
    private static List<SafetyFinding> server(LockConnection session) throws SQLException {
        return switch (session.dialect()) {
            case POSTGRESQL -> postgres(session);
            case MYSQL, MARIADB -> mysql(session);
            case H2 -> h2(session);
        };
    }

    /** The server's time of day in milliseconds since 1970. */
    public static OptionalLong clockMillis(LockConnection session) throws SQLException {
        String micros = session.queryForText("SELECT " + session.dialect().now());
        return OptionalLong.of(Long.parseLong(micros) / 1_000);
    }

    private static List<SafetyFinding> postgres(LockConnection session) throws SQLException {
        List<SafetyFinding> findings = new ArrayList<>();
        if (session.queryForText("SELECT pg_is_in_recovery()").startsWith("t")) {
            findings.add(new SafetyFinding(
                    "pg_is_in_recovery()",
                    "the data source, or a proxy in between, leads to a standby, which takes no locks",
                    "Lead all statements to the primary, for example with targetServerType=primary"));
        }
        if (session.isPooled()) {
            findings.add(new SafetyFinding(
                    "pooler",
                    "the locks' connections go through a pooler such as PgBouncer, so waiters are not notified of"
                            + " releases and poll instead; each row lock keeps one of the pooler's server connections",
                    "Connect to the server itself: lock.jdbc.url for leases, lock.row-lock.url for row locks"));
        }
        if (session.queryForText("SHOW fsync").equals("off")) {
            findings.add(new SafetyFinding(
                    "fsync",
                    "it is off, so that a crash of the machine forgets locks, and may destroy the database",
                    "Switch it on"));
        }
        String commit = session.queryForText("SHOW synchronous_commit");
        if (commit.equals("off") || commit.equals("local")) {
            findings.add(new SafetyFinding(
                    "synchronous_commit",
                    "it is " + commit + ", so that a " + (commit.equals("off") ? "crash of the server" : "failover")
                            + " forgets the locks of the last moments",
                    "Switch it on for the user or the database that the locks use"));
        }
        if (session.queryForText(HAS_ASYNCHRONOUS_STANDBYS).startsWith("t")) {
            findings.add(new SafetyFinding(
                    "synchronous_standby_names",
                    "it is empty, so that a failover to one of the standbys forgets the locks of the last moments",
                    "Set it to the standbys that may become the primary. If none may, switch this finding off"));
        }
        return findings;
    }

    private static List<SafetyFinding> mysql(LockConnection session) throws SQLException {
        List<SafetyFinding> findings = new ArrayList<>();
        if (!isWritable(session)) {
            findings.add(new SafetyFinding(
                    "read_only",
                    "the data source leads to a read-only server, probably a replica, which takes no locks",
                    "Lead it to the primary"));
        }
        MultiPrimaryCluster.of(session)
                .ifPresent(cluster -> findings.add(new SafetyFinding(
                        cluster.variable(),
                        "this is " + cluster.description()
                                + ": each node reads its own clock to tell whether a lease has expired, and a node may not"
                                + " know a lock that was acquired on another one a moment ago",
                        "Lead the locks to one node, and keep the nodes' clocks together")));
        String flush = session.queryForText("SELECT @@GLOBAL.innodb_flush_log_at_trx_commit");
        // MariaDB's 3 flushes at each commit as well
        if (!flush.equals("1") && !flush.equals("3")) {
            findings.add(new SafetyFinding(
                    "innodb_flush_log_at_trx_commit",
                    "it is " + flush + ", so that a crash of the server forgets the locks of the last moments",
                    "Set it to 1"));
        }
        return findings;
    }

    private static List<SafetyFinding> h2(LockConnection session) throws SQLException {
        String url = session.connection().getMetaData().getURL();
        return url != null && url.toLowerCase(Locale.ROOT).startsWith("jdbc:h2:mem:")
                ? List.of(new SafetyFinding(
                        "H2 in memory",
                        "the database belongs to this process, so its locks exclude no other",
                        "Use a database that all instances share"))
                : List.of();
    }

    /**
     * Whether a server of the MySQL family may be written to. Since MariaDB 12 the answer is a word, and several words
     * stand for a read-only server.
     */
    public static boolean isWritable(LockConnection session) throws SQLException {
        return saysWritable(session.queryForText("SELECT @@GLOBAL.read_only"));
    }

    static boolean saysWritable(String readOnly) {
        return readOnly.equals("0") || readOnly.equalsIgnoreCase("off");
    }

    /**
     * A table that locks need.
     *
     * @param check fails if the table cannot be read and written, and changes nothing
     */
    public record TableCheck(String name, SqlWork<?> check) {}
}
