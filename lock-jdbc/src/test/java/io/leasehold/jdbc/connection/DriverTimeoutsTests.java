package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.Test;

class DriverTimeoutsTests {

    private final Properties properties = new Properties();

    @Test
    void driversGiveUpOnServersThatDoNotAnswer() {
        DriverTimeouts.addTo(properties, "jdbc:postgresql://db/app");
        assertThat(properties).containsKeys("loginTimeout", "connectTimeout", "socketTimeout", "tcpKeepAlive");
    }

    @Test
    void settingsInTheUrlOrThePropertiesStay() {
        properties.setProperty("connectTimeout", "1");
        DriverTimeouts.addTo(properties, "jdbc:mariadb://db/app?socketTimeout=2");
        assertThat(properties).containsEntry("connectTimeout", "1").doesNotContainKey("socketTimeout");
    }

    @Test
    void otherDriversAreLeftAlone() {
        DriverTimeouts.addTo(properties, "jdbc:h2:mem:a");
        assertThat(properties).isEmpty();
    }
}
