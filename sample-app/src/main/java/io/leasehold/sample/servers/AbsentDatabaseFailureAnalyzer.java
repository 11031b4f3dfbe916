package io.leasehold.sample.servers;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

/** Says which database does not answer, and how to have one, to those who chose a profile that needs it. */
final class AbsentDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<CannotGetJdbcConnectionException> {

    private final Environment environment;

    AbsentDatabaseFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, CannotGetJdbcConnectionException cause) {
        String url = environment.getProperty("spring.datasource.url");
        if (url == null) {
            return null;
        }
        return new FailureAnalysis(
                "No connection to 'spring.datasource.url', " + url + ": "
                        + cause.getMostSpecificCause().getMessage(),
                "The sample starts Redis and H2 by itself, but no other server. Start one, or say where it is;"
                        + " sample-app/README.md has a line for each profile.",
                cause);
    }
}
