package io.leasehold.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.grpc.TlsChannelCredentials;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid and invalid options. */
class EtcdOptionsTests {

    private static final URI ONE = URI.create("http://one:2379");

    @Test
    void anEndpointIsEnough() {
        EtcdOptions options = EtcdOptions.of(ONE);
        assertThat(options.keyPrefix()).isEqualTo("leasehold/");
        assertThat(options.user()).isNull();
    }

    @Test
    void noEndpointIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(EtcdOptions::of).withMessageContaining("'endpoints'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "one:2379",
                "http://one",
                "ftp://one:2379",
                "http://one:2379/v3",
                "http://u:secret@one:2379",
                "u:secret@one:2379"
            })
    void anInvalidEndpointIsRefused(String endpoint) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdOptions.of(URI.create(endpoint)))
                .withMessageContaining("'endpoints' must look like https://host:2379")
                .withMessageNotContaining("secret");
    }

    @Test
    void httpAndHttpsDoNotMix() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdOptions.of(ONE, URI.create("https://two:2379")))
                .withMessageContaining("all http or all https");
    }

    @Test
    void anEndpointIsGivenOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdOptions.of(ONE, ONE))
                .withMessageContaining("differ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "locks", "/", "/locks/", "a//", "a:b/", "%/"})
    void aPrefixOfAnotherFormIsRefused(String prefix) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdOptions.of(ONE).withKeyPrefix(prefix))
                .withMessageContaining("'keyPrefix'")
                .withMessageContaining("'" + prefix + "'");
    }

    @Test
    void aUserNeedsAPassword() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EtcdOptions(EtcdOptions.of(ONE).endpoints(), "locks/", "me", null, null))
                .withMessageContaining("'password'");
    }

    @Test
    void tlsNeedsHttps() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdOptions.of(ONE).withTls(TlsChannelCredentials.create()))
                .withMessageContaining("'tls' needs https");
    }

    @Test
    void thePasswordIsNotShown() {
        assertThat(EtcdOptions.of(ONE).withUser("me", "secret").toString())
                .contains("me")
                .doesNotContain("secret");
    }
}
