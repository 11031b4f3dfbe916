package io.leasehold.sample.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.sample.SampleApplication;
import java.net.ConnectException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.mock.env.MockEnvironment;

/** Who chose a profile and has not started its database is told how to. */
@ExtendWith(OutputCaptureExtension.class)
class AbsentDatabaseFailureAnalyzerTests {

    private static final CannotGetJdbcConnectionException REFUSED = new CannotGetJdbcConnectionException(
            "no connection", new SQLException("refused", new ConnectException("nobody listens")));

    @Test
    void theStartSaysWhereItLookedAndWhatToDo(CapturedOutput output) {
        SpringApplicationBuilder sample = new SpringApplicationBuilder(SampleApplication.class).profiles("postgres");

        assertThatThrownBy(() -> sample.run(
                        "--POSTGRES_URL=jdbc:postgresql://127.0.0.1:1/absent",
                        "--spring.datasource.hikari.connection-timeout=1000",
                        "--sample.servers.directory=target/absent-servers",
                        "--server.port=0"))
                .isInstanceOf(Exception.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("No connection to 'spring.datasource.url', jdbc:postgresql://127.0.0.1:1/absent")
                .contains("sample-app/README.md has a line for each profile");
    }

    @Test
    void theDeepestReasonIsTold() {
        MockEnvironment environment = new MockEnvironment().withProperty("spring.datasource.url", "jdbc:h2:tcp://x/y");

        assertThat(new AbsentDatabaseFailureAnalyzer(environment).analyze(REFUSED, REFUSED))
                .extracting(FailureAnalysis::getDescription)
                .asString()
                .endsWith("jdbc:h2:tcp://x/y: nobody listens");
    }

    @Test
    void withoutAUrlThereIsNothingToSay() {
        assertThat(new AbsentDatabaseFailureAnalyzer(new MockEnvironment()).analyze(REFUSED, REFUSED))
                .isNull();
    }
}
