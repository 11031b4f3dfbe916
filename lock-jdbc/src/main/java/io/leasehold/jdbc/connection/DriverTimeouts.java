package io.leasehold.jdbc.connection;

import java.util.Map;
import java.util.Properties;

/** Driver timeouts that detect an unresponsive server, for drivers whose URL and properties set none. */
final class DriverTimeouts {

    private static final Map<String, Map<String, String>> BY_URL = Map.of(
            "jdbc:postgresql:",
                    Map.of("loginTimeout", "10", "connectTimeout", "5", "socketTimeout", "30", "tcpKeepAlive", "true"),
            "jdbc:mariadb:", Map.of("connectTimeout", "5000", "socketTimeout", "30000", "tcpKeepAlive", "true"),
            "jdbc:mysql:", Map.of("connectTimeout", "5000", "socketTimeout", "30000", "tcpKeepAlive", "true"));

    private DriverTimeouts() {}

    /** Adds the missing timeouts to the connection properties. */
    static void addTo(Properties properties, String url) {
        BY_URL.forEach((prefix, timeouts) -> {
            if (url.startsWith(prefix)) {
                timeouts.forEach((name, value) -> {
                    if (!url.contains(name + "=")) {
                        properties.putIfAbsent(name, value);
                    }
                });
            }
        });
    }
}
