package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.Test;

class DriverPropertiesTests {

    private final Properties properties = new Properties();

    @Test
    void driversGiveUpOnServersThatDoNotAnswer() {
        DriverProperties.addTo(properties, "jdbc:postgresql://db/app");
        assertThat(properties).containsKeys("loginTimeout", "connectTimeout", "socketTimeout", "tcpKeepAlive");
    }

    @Test
    void settingsInTheUrlOrThePropertiesStay() {
        properties.setProperty("connectTimeout", "1");
        DriverProperties.addTo(properties, "jdbc:mariadb://db/app?socketTimeout=2");
        assertThat(properties).containsEntry("connectTimeout", "1").doesNotContainKey("socketTimeout");
    }

    @Test
    void mysqlKeepsTheHostOfAConnection() {
        DriverProperties.addTo(properties, "jdbc:mysql://one,two/app");
        assertThat(properties)
                .containsEntry("queriesBeforeRetrySource", "0")
                .containsEntry("secondsBeforeRetrySource", "0");
    }

    @Test
    void otherDriversAreLeftAlone() {
        DriverProperties.addTo(properties, "jdbc:h2:mem:a");
        assertThat(properties).isEmpty();
    }
}
