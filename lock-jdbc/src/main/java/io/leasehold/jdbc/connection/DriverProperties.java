package io.leasehold.jdbc.connection;

import java.util.Map;
import java.util.Properties;

/**
 * Properties of drivers, for those that URL and properties do not set: timeouts that detect an unresponsive server. And
 * MySQL's driver must not move an open connection back to the first of several hosts, where its session would have the
 * server's own settings.
 */
final class DriverProperties {

    private static final Map<String, Map<String, String>> BY_URL = Map.of(
            "jdbc:postgresql:",
                    Map.of("loginTimeout", "10", "connectTimeout", "5", "socketTimeout", "30", "tcpKeepAlive", "true"),
            "jdbc:mariadb:", Map.of("connectTimeout", "5000", "socketTimeout", "30000", "tcpKeepAlive", "true"),
            "jdbc:mysql:",
                    Map.of(
                            "connectTimeout",
                            "5000",
                            "socketTimeout",
                            "30000",
                            "tcpKeepAlive",
                            "true",
                            "queriesBeforeRetrySource",
                            "0",
                            "secondsBeforeRetrySource",
                            "0"));

    private DriverProperties() {}

    /** Adds the missing properties to the connection properties. */
    static void addTo(Properties properties, String url) {
        BY_URL.forEach((prefix, defaults) -> {
            if (url.startsWith(prefix)) {
                defaults.forEach((name, value) -> {
                    if (!url.contains(name + "=")) {
                        properties.putIfAbsent(name, value);
                    }
                });
            }
        });
    }
}
