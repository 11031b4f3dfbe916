package io.leasehold.testsupport;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A package of Debian that is downloaded and unpacked into the user's cache folder but not installed, so that no service
 * is started and no root is needed.
 */
final class DebianPackage {

    private final String name;

    DebianPackage(String name) {
        this.name = name;
    }

    /** Where a file of the package is once the package has been downloaded. */
    Path cached(String path) {
        return cache().resolve(path);
    }

    /** Downloads the package unless a file of it is there already. */
    Path file(String path) {
        Path cached = cached(path);
        return Files.isRegularFile(cached) ? cached : download(cached);
    }

    private Path cache() {
        String home = Objects.requireNonNullElseGet(
                System.getenv("XDG_CACHE_HOME"), () -> System.getProperty("user.home") + "/.cache");
        return Path.of(home, "leasehold-tests", name);
    }

    private Path download(Path file) {
        Path target = cache();
        try {
            Files.createDirectories(target.getParent());
            Path work = Files.createTempDirectory(target.getParent(), name + "-download-");
            try {
                unpack(work);
                moveIntoPlace(work.resolve("unpacked"), target, file);
            } finally {
                delete(work);
            }
        } catch (IOException ex) {
            throw missing(ex);
        }
        require(Files.isRegularFile(file));
        return file;
    }

    private void unpack(Path work) throws IOException {
        if (!run(work, "apt-get", "download", name)) {
            run(work, "apt-get", "update", "-qq");
            require(run(work, "apt-get", "download", name));
        }
        try (Stream<Path> files = Files.list(work)) {
            Path archive = files.filter(file -> file.toString().endsWith(".deb"))
                    .findFirst()
                    .orElseThrow(this::missing);
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

    /** Another process may have been quicker; then its copy is as good, unless it was interrupted or cleaned up. */
    private static void moveIntoPlace(Path unpacked, Path target, Path file) throws IOException {
        try {
            Files.move(unpacked, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException ex) {
            if (!Files.isRegularFile(file)) {
                delete(target);
                Files.move(unpacked, target, StandardCopyOption.ATOMIC_MOVE);
            }
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

    private void require(boolean done) {
        if (!done) {
            throw missing();
        }
    }

    private IllegalStateException missing() {
        return missing(null);
    }

    private IllegalStateException missing(@Nullable IOException cause) {
        return new IllegalStateException(
                "Debian's package '" + name + "' could not be downloaded; install it with 'apt-get install " + name
                        + "'",
                cause);
    }
}
