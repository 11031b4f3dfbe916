package io.leasehold.jdbc.connection;

import java.sql.SQLException;
import java.util.Optional;

/** A cluster whose nodes all accept writes. Each node locks rows for itself, so row locks exclude no other node. */
public enum MultiPrimaryCluster {
    GALERA("wsrep_on", "ON", "a Galera cluster"),

    GROUP_REPLICATION(
            "group_replication_single_primary_mode", "OFF", "a Group Replication cluster in multi-primary mode");

    private static final String QUERY =
            "SHOW VARIABLES WHERE " + GALERA.condition() + " OR " + GROUP_REPLICATION.condition();

    private final String variable;

    private final String value;

    private final String description;

    MultiPrimaryCluster(String variable, String value, String description) {
        this.variable = variable;
        this.value = value;
        this.description = description;
    }

    /** The cluster to which the server of a connection belongs. */
    public static Optional<MultiPrimaryCluster> of(LockConnection session) throws SQLException {
        if (!session.dialect().isMySqlFamily()) {
            return Optional.empty();
        }
        String value = session.queryForText(QUERY);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(value.equalsIgnoreCase(GALERA.value) ? GALERA : GROUP_REPLICATION);
    }

    /** The server's variable by which the cluster is recognised. */
    public String variable() {
        return variable;
    }

    /** The cluster in words, with an article. */
    public String description() {
        return description;
    }

    private String condition() {
        return "Variable_name = '" + variable + "' AND Value = '" + value + "'";
    }
}
