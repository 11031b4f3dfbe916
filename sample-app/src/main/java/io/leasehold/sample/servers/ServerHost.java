package io.leasehold.sample.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;

/**
 * The process that runs the servers while an instance is connected to it:
 *
 * <ol>
 *   <li>It removes the directories of hosts that were killed, and publishes its address in the directory.
 *   <li>An instance connects, says which stores it needs, receives their addresses, and stays connected.
 * <li>A connection that ends is an instance that has ended. After the last one the host withdraws its address, closes
 * its server socket and stops the servers, in this order, so that an instance which connects too late notices it.
 * </ol>
 */
final class ServerHost {

    private static final Logger log = LoggerFactory.getLogger(ServerHost.class);

    private final ServersDirectory directory;

    private final StoreServers servers;

    private final String secret;

    private final ServerSocket listener;

    private final ClientRegistry clients;

    private ServerHost(ServersDirectory directory, Path run, Duration linger) throws IOException {
        this.directory = directory;
        this.secret = UUID.randomUUID().toString();
        this.servers = new StoreServers(run, secret);
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.clients = new ClientRegistry(linger, this::close);
    }

    /**
     * Runs until the last instance has ended.
     *
     * @param args the directory, the directory of this run, how long to wait for an instance
     * @throws IOException if the directory or the network cannot be used
     */
    public static void main(String[] args) throws IOException {
        ServersDirectory directory = new ServersDirectory(Path.of(args[0]));
        Path run = Path.of(args[1]);
        removeOtherRuns(directory, run);
        ServerHost host = new ServerHost(directory, run, Duration.parse(args[2]));
        Runtime.getRuntime().addShutdownHook(new Thread(host.servers::close));
        host.open();
        System.exit(0);
    }

    private static void removeOtherRuns(ServersDirectory directory, Path run) throws IOException {
        for (Path other : directory.runs().toList()) {
            if (!other.equals(run)) {
                FileSystemUtils.deleteRecursively(other);
            }
        }
    }

    private void open() throws IOException {
        directory.publish(new ServerHostAddress(listener.getLocalPort(), secret));
        try {
            while (true) {
                Socket client = listener.accept();
                Thread thread = new Thread(() -> receive(client));
                thread.setDaemon(true);
                thread.start();
            }
        } catch (SocketException ex) {
            log.info("The last instance has ended");
        }
    }

    private void receive(Socket client) {
        try (client;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8))) {
            String request = in.readLine();
            if (request == null || !request.startsWith(secret + " ")) {
                return;
            }
            OptionalInt index = clients.add();
            if (index.isPresent()) {
                serve(client, in, request.substring(secret.length() + 1), index.getAsInt());
            }
        } catch (IOException ex) {
            log.debug("An instance has ended", ex);
        }
    }

    private void serve(Socket client, BufferedReader in, String names, int index) {
        boolean normally = false;
        try {
            client.getOutputStream().write((reply(index, names) + "\n").getBytes(StandardCharsets.UTF_8));
            normally = SampleServers.LEAVE.equals(in.readLine());
        } catch (IOException ex) {
            log.debug("Instance {} was killed", index, ex);
        } finally {
            clients.remove(index, normally);
        }
    }

    private String reply(int index, String names) {
        Set<Store> stores = EnumSet.noneOf(Store.class);
        for (String name : names.split(",")) {
            stores.add(Store.valueOf(name));
        }
        try {
            return servers.start(stores, index).toString();
        } catch (Exception ex) {
            log.error("Could not start {}", stores, ex);
            // the reply is one line
            return ex.toString().replace('\n', ' ');
        }
    }

    private void close() {
        try {
            directory.withdraw();
            listener.close();
        } catch (IOException ex) {
            log.error("Could not close the server socket", ex);
        }
    }
}
