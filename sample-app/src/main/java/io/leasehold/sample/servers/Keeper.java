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

/**
 * The process that has the servers, while an instance has a connection to it:
 *
 * <ol>
 *   <li>it ends what an earlier keeper has left behind, and publishes its address in the directory;
 *   <li>an instance connects, says which stores it needs, is told where they are, and stays connected;
 *   <li>a connection that ends is an instance that has gone; after the last one the address is withdrawn, the door is
 *       closed and the servers are stopped, in this order, so that an instance which comes too late notices it.
 * </ol>
 */
final class Keeper {

    private static final Logger log = LoggerFactory.getLogger(Keeper.class);

    private final ServersDirectory directory;

    private final StoreServers servers;

    private final String secret;

    private final ServerSocket door;

    private final Guests guests;

    private Keeper(ServersDirectory directory, Path run, Duration linger) throws IOException {
        this.directory = directory;
        this.secret = UUID.randomUUID().toString();
        this.servers = new StoreServers(run, secret);
        this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.guests = new Guests(linger, this::close);
    }

    /**
     * Runs until the last instance has gone.
     *
     * @param args the directory, the directory of this run, how long to linger
     * @throws IOException if the directory or the network cannot be used
     */
    public static void main(String[] args) throws IOException {
        ServersDirectory directory = new ServersDirectory(Path.of(args[0]));
        Path run = Path.of(args[1]);
        Leftovers.remove(directory, run);
        Keeper keeper = new Keeper(directory, run, Duration.parse(args[2]));
        Runtime.getRuntime().addShutdownHook(new Thread(keeper.servers::close));
        keeper.open();
        System.exit(0);
    }

    private void open() throws IOException {
        directory.publish(new KeeperAddress(door.getLocalPort(), secret));
        try {
            while (true) {
                Socket guest = door.accept();
                Thread thread = new Thread(() -> receive(guest));
                thread.setDaemon(true);
                thread.start();
            }
        } catch (SocketException ex) {
            log.info("The last instance has gone");
        }
    }

    private void receive(Socket guest) {
        try (guest;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(guest.getInputStream(), StandardCharsets.UTF_8))) {
            String request = in.readLine();
            if (request == null || !request.startsWith(secret + " ")) {
                return;
            }
            OptionalInt place = guests.arrive();
            if (place.isPresent()) {
                serve(guest, in, request.substring(secret.length() + 1), place.getAsInt());
            }
        } catch (IOException ex) {
            log.debug("An instance has gone", ex);
        }
    }

    private void serve(Socket guest, BufferedReader in, String names, int place) {
        boolean inOrder = false;
        try {
            guest.getOutputStream().write((answer(place, names) + "\n").getBytes(StandardCharsets.UTF_8));
            inOrder = SampleServers.GOODBYE.equals(in.readLine());
        } catch (IOException ex) {
            log.debug("The instance at place {} was killed", place, ex);
        } finally {
            guests.leave(place, inOrder);
        }
    }

    private String answer(int place, String names) {
        Set<Store> stores = EnumSet.noneOf(Store.class);
        for (String name : names.split(",")) {
            stores.add(Store.valueOf(name));
        }
        try {
            return servers.start(stores, place).toString();
        } catch (Exception ex) {
            log.error("Could not start {}", stores, ex);
            return ex.toString();
        }
    }

    private void close() {
        try {
            directory.withdraw();
            door.close();
        } catch (IOException ex) {
            log.error("Could not close the door", ex);
        }
    }
}
