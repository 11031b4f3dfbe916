package io.leasehold.testsupport;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The etcd program: the one on the PATH, else Debian's, which is downloaded and unpacked into the user's cache folder but
 * not installed, so that no service is started and no root is needed.
 */
final class EtcdBinary {

    private static final Path PATH = find();

    private EtcdBinary() {}

    static Path path() {
        return PATH;
    }

    private static Path find() {
        Stream<Path> onPath = Arrays.stream(
                        Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "etcd"));
        Path cached = cache().resolve("usr/bin/etcd");
        return Stream.concat(onPath, Stream.of(cached))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(() -> download(cached));
    }

    private static Path cache() {
        String home = Objects.requireNonNullElseGet(
                System.getenv("XDG_CACHE_HOME"), () -> System.getProperty("user.home") + "/.cache");
        return Path.of(home, "leasehold-tests", "etcd-server");
    }

    private static Path download(Path binary) {
        Path target = cache();
        try {
            Files.createDirectories(target.getParent());
            Path work = Files.createTempDirectory(target.getParent(), "etcd-download-");
            try {
                unpack(work);
                moveIntoPlace(work.resolve("unpacked"), target);
            } finally {
                delete(work);
            }
        } catch (IOException ex) {
            throw missing(ex);
        }
        require(Files.isExecutable(binary));
        return binary;
    }

    private static void unpack(Path work) throws IOException {
        if (!run(work, "apt-get", "download", "etcd-server")) {
            run(work, "apt-get", "update", "-qq");
            require(run(work, "apt-get", "download", "etcd-server"));
        }
        try (Stream<Path> files = Files.list(work)) {
            Path archive = files.filter(file -> file.toString().endsWith(".deb"))
                    .findFirst()
                    .orElseThrow(EtcdBinary::missing);
            require(run(work, "dpkg", "-x", archive.getFileName().toString(), "unpacked"));
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> content = Files.walk(folder)) {
            for (Path path : content.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** Another JVM may have been quicker; then its copy is as good. */
    private static void moveIntoPlace(Path unpacked, Path target) throws IOException {
        try {
            Files.move(unpacked, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException ex) {
            return;
        }
    }

    private static boolean run(Path folder, String... command) throws IOException {
        Process process = new ProcessBuilder(List.of(command))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
        try {
            if (!process.waitFor(120, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (InterruptedException ex) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void require(boolean done) {
        if (!done) {
            throw missing();
        }
    }

    private static IllegalStateException missing() {
        return missing(null);
    }

    private static IllegalStateException missing(@Nullable IOException cause) {
        return new IllegalStateException(
                "no 'etcd' on the PATH, and Debian's could not be downloaded; install etcd 3.4 or newer, on Debian with"
                        + " 'apt-get install etcd-server'",
                cause);
    }
}
