package io.leasehold.redis.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.BackendFailure.Effect;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.PartitionSelectorException;
import io.lettuce.core.cluster.models.partitions.Partitions;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.RedisSystemException;

/** The effect of a request according to its error. */
class RedisErrorsTests {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    MOVED 866 127.0.0.1:7001                                           | NOT_DONE
                    ASK 866 127.0.0.1:7001                                             | NOT_DONE
                    TRYAGAIN Multiple keys request during rehashing of slot            | NOT_DONE
                    CLUSTERDOWN Hash slot not served                                   | NOT_DONE
                    READONLY You can't write against a read only replica.              | NOT_DONE
                    LOADING Redis is loading the dataset in memory                     | NOT_DONE
                    MASTERDOWN Link with MASTER is down                                | NOT_DONE
                    NOREPLICAS Not enough good replicas to write.                      | NOT_DONE
                    BUSY Redis is busy running a script.                               | NOT_DONE
                    OOM command not allowed when used memory > 'maxmemory'.            | NOT_DONE
                    WRONGTYPE Operation against a key holding the wrong kind of value  | REFUSED
                    NOPERM this user has no permissions to run the 'evalsha' command   | REFUSED
                    NOAUTH Authentication required.                                    | REFUSED
                    ERR The user executing the script can't run this command or subcommand | UNKNOWN
                    ERR ACL failure in script: User u has no permissions to run 'set'  | UNKNOWN
                    ERR Unknown Redis command called from script                       | UNKNOWN
                    ERR unknown command 'EVALSHA', with args beginning with:           | REFUSED
                    UNBLOCKED force unblock from blocking operation                    | UNKNOWN
                    something new                                                      | UNKNOWN
                    """)
    void theErrorCodeOfTheReplyDecides(String reply, Effect effect) {
        Throwable ofLettuce = new RedisCommandExecutionException(reply);
        assertThat(RedisErrors.of(ofLettuce).effect()).isEqualTo(effect);
        assertThat(RedisErrors.of(new CompletionException(new RedisSystemException("Error in execution", ofLettuce)))
                        .effect())
                .isEqualTo(effect);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    NOPERM this user has no permissions to run the 'keys' command                   | grant it the commands
                    NOPERM this user has no permissions to access one of the keys used as arguments | key patterns
                    NOPERM No permissions to access a key                                           | key patterns
                    NOPERM No permissions to access a channel                                       | channel pattern
                    NOPERM this user has no permissions to access one of the channels used as arguments | channel pattern
                    ERR The user executing the script can't run this command or subcommand          | grant it the commands
                    ERR The user executing the script can't access at least one of the keys mentioned in the command arguments | key patterns
                    ERR The user executing the script can't publish to the channel mentioned in the command | channel pattern
                    ERR ACL failure in script: User u has no permissions to run the 'get' command   | grant it the commands
                    ERR ACL failure in script: User u has no permissions to access the 'a' key      | key patterns
                    ERR ACL failure in script: User u has no permissions to access the 'a' channel  | channel pattern
                    ERR Unknown Redis command called from script                                    | docs/redis-acl.md
                    ERR unknown command 'EVALSHA', with args beginning with:                        | docs/redis-acl.md
                    NOAUTH Authentication required.                                                 | set spring.data.redis.password
                    NOREPLICAS 0 of 1 replicas are connected to the new master                      | lower 'lock.redis.min-replicas'
                    NOREPLICAS Not enough good replicas to write.                                   | own min-replicas-to-write
                    TRYAGAIN Multiple keys request during rehashing of slot                         | moving the slot
                    ERR max number of clients reached                                               | raise maxclients
                    ERR DB index is out of range                                                    | raise 'databases'
                    """)
    void theNextStepDependsOnTheRefusal(String reply, String nextStep) {
        Throwable ofLettuce = new RedisCommandExecutionException(reply);
        assertThat(RedisErrors.of(ofLettuce)).hasMessageContaining(nextStep);
        assertThat(RedisErrors.notConnected(new RedisConnectionException("Unable to connect to host:6379", ofLettuce)))
                .hasMessageStartingWith("no connection to Redis: Unable to connect to host:6379: " + reply)
                .hasMessageContaining(nextStep);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RedisHandshakeHandler not registered",
                "Connection closed prematurely",
                "Unable to connect to host:6379: the connection ended before the answer",
                "Unable to connect to host:6379: Connection reset",
                "java.net.SocketException: Broken pipe",
                "java.net.SocketTimeoutException: Read timed out"
            })
    void aConnectionClosedBeforeItsReplyNamesWhatRedisMayHaveReplied(String message) {
        assertThat(RedisErrors.notConnected(new RedisConnectionException(message)))
                .hasMessageContaining("check user and password")
                .hasMessageContaining("see whether maxclients is reached")
                .hasMessageContaining("whether the server expects TLS");
    }

    @Test
    void aFailureOfTlsNamesTheBundle() {
        Throwable untrusted = new RedisConnectionException(
                "Unable to connect to host:6379", new SSLHandshakeException("NotAfter: Sat Nov 28 22:24:49 UTC 2026"));

        assertThat(RedisErrors.notConnected(untrusted))
                .hasMessageContaining("host:6379")
                .hasMessageContaining("NotAfter")
                .hasMessageContaining("TLS failed: ")
                .hasMessageContaining("spring.data.redis.ssl.bundle");
    }

    @Test
    void aConnectionThatBreaksLaterGivesNoAdviceAboutPasswords() {
        assertThat(RedisErrors.of(new RedisException("the connection ended before the answer"))
                        .getMessage())
                .doesNotContain("password");
    }

    @Test
    void aBrokenConnectionIsAnUnknownOutcome() {
        assertThat(RedisErrors.of(new IOException("Connection reset by peer")).effect())
                .isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void aCommandWithoutANodeIsNotSent() {
        assertThat(RedisErrors.of(new PartitionSelectorException("Cannot determine a partition", new Partitions()))
                        .effect())
                .isEqualTo(Effect.NOT_DONE);
    }
}
