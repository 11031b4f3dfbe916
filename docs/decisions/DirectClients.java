import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;

/**
 * Takes and gives back locks on a running Redis over one connection that all threads share, and over connections that
 * each thread has for the length of a question: SET NX PX with INCRBY, and a script that compares and deletes.
 */
public final class DirectClients {

    private static final String RELEASE =
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

    private interface Way {

        void lockAndUnlock(String lock, String fence, String token) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        int rounds = Integer.parseInt(args[1]);
        RedisAsyncCommands<String, String> shared =
                RedisClient.create("redis://127.0.0.1:" + port).connect().async();
        String sha = shared.scriptLoad(RELEASE).get();
        for (int i = 2; i < args.length; i++) {
            int threads = Integer.parseInt(args[i]);
            Map<String, Way> ways = new LinkedHashMap<>();
            ways.put("shared, Lettuce", (lock, fence, token) -> overShared(shared, sha, lock, fence, token));
            ways.put("direct, java.net.Socket", overSockets(port, threads, sha));
            ways.put("direct, Jedis", overJedis(port, threads, sha));
            compare(threads, rounds, ways);
        }
        System.exit(0);
    }

    private static void compare(int threads, int rounds, Map<String, Way> ways) throws Exception {
        for (int i = 0; i < 4; i++) {
            for (Way way : ways.values()) {
                rate(way, threads, 2_000);
            }
        }
        Map<String, List<Double>> ratios = new LinkedHashMap<>();
        for (int i = 0; i < rounds; i++) {
            double first = 0;
            for (Map.Entry<String, Way> way : ways.entrySet()) {
                double rate = rate(way.getValue(), threads, 500);
                first = first == 0 ? rate : first;
                ratios.computeIfAbsent(way.getKey(), name -> new ArrayList<>()).add(rate / first);
            }
        }
        ratios.forEach((name, each) -> {
            Collections.sort(each);
            System.out.printf(
                    "%2d threads  %-24s %.2f (%.2f-%.2f)%n",
                    threads, name, each.get(rounds / 2), each.get(rounds / 4), each.get(rounds * 3 / 4));
        });
    }

    private static double rate(Way way, int threads, long millis) throws InterruptedException {
        AtomicBoolean stopped = new AtomicBoolean();
        LongAdder locks = new LongAdder();
        List<Thread> callers = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < threads; i++) {
            String lock = "{direct" + i + "}";
            callers.add(new Thread(() -> {
                while (!stopped.get()) {
                    try {
                        way.lockAndUnlock(lock, lock + ":fence", UUID.randomUUID().toString());
                    } catch (Exception ex) {
                        ex.printStackTrace();
                        System.exit(1);
                    }
                    locks.increment();
                }
            }));
        }
        callers.forEach(Thread::start);
        TimeUnit.MILLISECONDS.sleep(millis);
        stopped.set(true);
        for (Thread caller : callers) {
            caller.join();
        }
        return locks.sum() * 1e9 / (System.nanoTime() - begin);
    }

    private static void overShared(
            RedisAsyncCommands<String, String> shared, String sha, String lock, String fence, String token)
            throws Exception {
        RedisFuture<String> taken =
                shared.set(lock, token, SetArgs.Builder.nx().px(30_000));
        RedisFuture<Long> counted = shared.incrby(fence, 65);
        require("OK".equals(taken.get()) && counted.get() > 0);
        RedisFuture<Long> released = shared.evalsha(sha, ScriptOutputType.INTEGER, new String[] {lock}, token);
        require(released.get() == 1);
    }

    private static Way overSockets(int port, int count, String sha) throws IOException {
        ConcurrentLinkedDeque<Socket> idle = new ConcurrentLinkedDeque<>();
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(1_000);
            idle.add(socket);
        }
        return (lock, fence, token) -> {
            Socket socket = idle.removeFirst();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            write(out, "SET", lock, token, "NX", "PX", "30000");
            write(out, "INCRBY", fence, "65");
            out.writeTo(socket.getOutputStream());
            require(readLines(socket.getInputStream(), 2).startsWith("+OK"));
            idle.addFirst(socket);
            socket = idle.removeFirst();
            out.reset();
            write(out, "EVALSHA", sha, "1", lock, token);
            out.writeTo(socket.getOutputStream());
            require(readLines(socket.getInputStream(), 1).startsWith(":1"));
            idle.addFirst(socket);
        };
    }

    private static Way overJedis(int port, int count, String sha) {
        ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();
        for (int i = 0; i < count; i++) {
            idle.add(new Connection(
                    new HostAndPort("127.0.0.1", port),
                    DefaultJedisClientConfig.builder().build()));
        }
        return (lock, fence, token) -> {
            Connection connection = idle.removeFirst();
            connection.sendCommand(Command.SET, lock, token, "NX", "PX", "30000");
            connection.sendCommand(Command.INCRBY, fence, "65");
            require(connection.getOne() != null && (Long) connection.getOne() > 0);
            idle.addFirst(connection);
            connection = idle.removeFirst();
            connection.sendCommand(Command.EVALSHA, sha, "1", lock, token);
            require((Long) connection.getOne() == 1);
            idle.addFirst(connection);
        };
    }

    private static void write(ByteArrayOutputStream out, String... command) {
        StringBuilder text = new StringBuilder("*" + command.length + "\r\n");
        for (String word : command) {
            text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        out.writeBytes(text.toString().getBytes(StandardCharsets.US_ASCII));
    }

    private static String readLines(InputStream in, int lines) throws IOException {
        byte[] buffer = new byte[512];
        int end = 0;
        while (true) {
            int read = in.read(buffer, end, buffer.length - end);
            require(read > 0);
            end += read;
            String text = new String(buffer, 0, end, StandardCharsets.US_ASCII);
            if (text.endsWith("\r\n") && text.lines().count() == lines) {
                return text;
            }
        }
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new IllegalStateException("Redis did not do what was asked");
        }
    }
}
