package io.leasehold.jdbc.connection;

import com.zaxxer.hikari.HikariDataSource;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The URL and user with which a pool opens connections, for messages. Parameters of the URL are left out, because they
 * may contain a password, and so are logins, with the hosts between them.
 *
 * @param text empty if the address is unknown
 */
record DatabaseAddress(String text) {

    static final DatabaseAddress UNKNOWN = new DatabaseAddress("");

    /** MySQL's driver takes properties in parentheses, beside or in place of a host. */
    private static final Pattern PASSWORD = Pattern.compile("(password\\d?=)[^,)]*", Pattern.CASE_INSENSITIVE);

    private static final Pattern USER = Pattern.compile("[?&;]user=([^&;]+)", Pattern.CASE_INSENSITIVE);

    static DatabaseAddress of(HikariDataSource pool) {
        String url = pool.getJdbcUrl();
        if (url == null) {
            return UNKNOWN;
        }
        return pool.getCredentialsProvider() == null
                ? of(url, pool.getUsername())
                : new DatabaseAddress(" (" + withoutPassword(url) + ", user and password of "
                        + pool.getCredentialsProvider().getClass().getName() + ")");
    }

    static DatabaseAddress of(String url, @Nullable String username) {
        Matcher parameter = USER.matcher(url);
        String user = username == null && parameter.find() ? parameter.group(1) : username;
        return new DatabaseAddress(
                " (" + withoutPassword(url) + (user == null ? ", no user" : ", user '" + user + "'") + ")");
    }

    private static String withoutPassword(String url) {
        String address = url.replaceFirst("[?;].*", "").replaceFirst("//.*@", "//");
        return PASSWORD.matcher(address).replaceAll("$1***");
    }

    /** The same failure with the address, and with the reason if a host name cannot be resolved. */
    SQLException added(SQLException failure) {
        return new SQLException(
                failure.getMessage() + unknownHost(failure) + text,
                failure.getSQLState(),
                failure.getErrorCode(),
                failure);
    }

    private static String unknownHost(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException) {
                return " The name of the host cannot be resolved: "
                        + String.valueOf(cause.getMessage()).replaceFirst(":.*", "");
            }
        }
        return "";
    }
}
