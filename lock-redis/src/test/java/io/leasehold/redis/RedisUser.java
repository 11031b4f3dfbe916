package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.servers.redis.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/**
 * A user as defined in docs/redis-acl.md, so that the tests use the documented permissions.
 *
 * @param rights the permissions of the user
 */
public record RedisUser(List<String> rights) {

    private static final Path DOCUMENT = Path.of("..", "docs", "redis-acl.md");

    private static final String BEGIN = "ACL SETUSER locks on >secret -@all";

    /** The user of the documentation. */
    public static RedisUser documented() {
        try {
            String text = Files.readString(DOCUMENT);
            int begin = text.indexOf(BEGIN) + BEGIN.length();
            return new RedisUser(Arrays.asList(
                    text.substring(begin, text.indexOf("```", begin)).trim().split("\\s+")));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Returns the same user in other namespaces. */
    public RedisUser inNamespaces(String pattern) {
        return new RedisUser(rights.stream()
                .filter(right -> !right.contains("billing"))
                .map(right -> right.replace("deploy", pattern))
                .toList());
    }

    public RedisUser without(String right) {
        assertThat(rights).contains(right);
        return new RedisUser(rights.stream().filter(each -> !each.equals(right)).toList());
    }

    public RedisUser with(String right) {
        return new RedisUser(Stream.concat(rights.stream(), Stream.of(right)).toList());
    }

    /** Returns the same user with the rights to the commands that clients send without a need for the answer. */
    public RedisUser withCommandsWithoutEffect(RedisServer server) {
        RedisUser user = with("+ping").with("+client|setname");
        List<?> since72 = (List<?>) server.command("COMMAND", "INFO", "client|setinfo");
        return since72.get(0) == null ? user : user.with("+client|setinfo");
    }

    /** Creates the user, or replaces the permissions of an existing one. */
    public void create(RedisServer server, String name) {
        String[] command = Stream.concat(
                        Stream.of("ACL", "SETUSER", name, "reset", "on", ">secret", "-@all"), rights.stream())
                .toArray(String[]::new);
        assertThat(server.command(command)).isEqualTo("OK");
    }

    /** Returns the configuration with which the user logs in. */
    public static RedisStandaloneConfiguration at(RedisServer server, String name) {
        RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(server.host(), server.port());
        configuration.setUsername(name);
        configuration.setPassword("secret");
        return configuration;
    }
}
