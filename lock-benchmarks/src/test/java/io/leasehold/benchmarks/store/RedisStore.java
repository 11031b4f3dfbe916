package io.leasehold.benchmarks.store;

import io.leasehold.servers.redis.RedisServer;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A redis-server of this run, without persistence. */
public final class RedisStore implements Store {

    private static final Pattern CALLS = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");

    private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");

    private static final Pattern MEMORY = Pattern.compile("used_memory:(\\d+)");

    private static final Pattern CLIENTS_MEMORY = Pattern.compile("mem_clients_normal:(\\d+)");

    private static final Pattern VERSION = Pattern.compile("redis_version:(\\S+)");

    private static final Pattern EXPIRING = Pattern.compile("expires=[1-9]");

    /** Commands that this class sends, and commands that clients send when they connect. */
    private static final Set<String> NOT_LOCKING =
            Set.of("info", "monitor", "echo", "dbsize", "keys", "flushall", "ping", "hello");

    private final RedisServer server = RedisServer.start("maxclients 20000");

    @Override
    public String address() {
        return "redis://" + server.host() + ":" + server.port();
    }

    @Override
    public StoreWork work() {
        long commands = 0;
        Matcher calls = CALLS.matcher(info("commandstats"));
        while (calls.find()) {
            if (!NOT_LOCKING.contains(calls.group(1)) && !calls.group(1).startsWith("client|")) {
                commands += Long.parseLong(calls.group(2));
            }
        }
        double cpu = 0;
        Matcher used = CPU.matcher(info("cpu"));
        while (used.find()) {
            cpu += Double.parseDouble(used.group(1));
        }
        return new StoreWork(commands, cpu, Double.NaN);
    }

    /** The bytes that Redis has allocated, without the buffers of clients, which vary. */
    public long memory() {
        return Long.parseLong(find(MEMORY, "memory")) - Long.parseLong(find(CLIENTS_MEMORY, "memory"));
    }

    /** The number of keys. */
    public long keys() {
        return server.command("DBSIZE") instanceof Long keys ? keys : -1;
    }

    /**
     * Counts the keys that match a pattern.
     *
     * @param pattern a pattern of Redis's KEYS command
     * @return their number
     */
    public int keysLike(String pattern) {
        return server.command("KEYS", pattern) instanceof List<?> keys ? keys.size() : -1;
    }

    /** Whether at least one key has an expiry. */
    public boolean anyExpires() {
        return EXPIRING.matcher(info("keyspace")).find();
    }

    /** What the connections of other clients are for: {@code commands} or {@code messages}. */
    public List<String> clients() {
        return String.valueOf(server.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> !line.contains(" cmd=client"))
                .map(line -> line.contains(" sub=0") ? "commands" : "messages")
                .sorted()
                .toList();
    }

    /** Removes all keys, but not the scripts. */
    public void clear() {
        server.command("FLUSHALL", "SYNC");
    }

    @Override
    public String version() {
        return "Redis " + find(VERSION, "server");
    }

    @Override
    public double shareSentDuring(Runnable load) {
        StoreWork before = work();
        CommandLog log = new CommandLog(server);
        load.run();
        CommandCounts heard = log.end();
        return heard.isAbout(work().since(before).commands()) ? heard.shareSent() : Double.NaN;
    }

    @Override
    public void close() {
        server.close();
    }

    private String find(Pattern pattern, String section) {
        Matcher matcher = pattern.matcher(info(section));
        if (!matcher.find()) {
            throw new IllegalStateException("INFO of Redis does not contain " + pattern + " in " + section);
        }
        return matcher.group(1);
    }

    private String info(String section) {
        return String.valueOf(server.command("INFO", section));
    }
}
