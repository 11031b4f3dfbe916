package io.leasehold.sample.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Where the instances of one user find the server host: a directory that only this user may enter. */
record ServersDirectory(Path path) {

    private static final Object ONE_IN_THIS_JVM = new Object();

    /** The directory, made if it is not there. */
    static ServersDirectory at(Path path) {
        try {
            Path directory = Files.createDirectories(path.toAbsolutePath());
            Path own = Files.createTempFile("leasehold-sample", null);
            boolean ours = Files.getOwner(directory).equals(Files.getOwner(own));
            Files.delete(own);
            if (!ours) {
                throw new IllegalStateException("'sample.servers.directory' belongs to another user: " + directory
                        + ". Name one of your own, or remove it");
            }
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            return new ServersDirectory(directory);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Runs what at most one instance may do at a time. */
    <T> T alone(Callable<T> work) throws Exception {
        synchronized (ONE_IN_THIS_JVM) {
            try (FileChannel channel =
                    FileChannel.open(path.resolve("join.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock();
                return work.call();
            }
        }
    }

    Optional<ServerHostAddress> address() throws IOException {
        return Files.exists(addressFile())
                ? Optional.of(ServerHostAddress.parse(Files.readString(addressFile())))
                : Optional.empty();
    }

    void publish(ServerHostAddress address) throws IOException {
        Path complete = Files.writeString(path.resolve("host.new"), address.toString());
        Files.move(complete, addressFile(), StandardCopyOption.ATOMIC_MOVE);
    }

    void withdraw() throws IOException {
        Files.deleteIfExists(addressFile());
    }

    /** A directory for one run of the server host. */
    Path newRun() throws IOException {
        return Files.createTempDirectory(path, "run-");
    }

    /** The directories of the runs; those of earlier ones are left if the host was killed. */
    Stream<Path> runs() throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.filter(entry -> entry.getFileName().toString().startsWith("run-")).toList().stream();
        }
    }

    private Path addressFile() {
        return path.resolve("host");
    }
}
