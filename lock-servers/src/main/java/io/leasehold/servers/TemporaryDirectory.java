package io.leasehold.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory of a server's files, removed with the server, or after the end of this JVM. With
 * {@code -Dleasehold.server.files=memory} it is in memory if there is enough room. A server that was killed finds its
 * files there after a restart, as the tests expect, and no test waits for a disk that other tests keep busy.
 */
public final class TemporaryDirectory {

    private static final Path MEMORY = Path.of("/dev/shm");

    private static final long ROOM_BYTES = 2L << 30;

    private final Path path;

    /** Creates an empty directory whose name begins with a prefix. */
    public TemporaryDirectory(String prefix) {
        try {
            path = isInMemory() ? Files.createTempDirectory(MEMORY, prefix) : Files.createTempDirectory(prefix);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        OrphanGuard.watch(path);
    }

    /** The path of the directory. */
    public Path path() {
        return path;
    }

    /** Copies the content of the directory to another one. */
    public void copyTo(TemporaryDirectory other) {
        try (Stream<Path> walk = Files.walk(path)) {
            for (Path from : walk.filter(found -> !found.equals(path)).toList()) {
                Files.copy(from, other.path.resolve(path.relativize(from)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Removes the content of the directory, but not the directory. */
    public void clear() {
        List<Path> content;
        try (Stream<Path> walk = Files.walk(path)) {
            content = walk.filter(found -> !found.equals(path))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        content.forEach(TemporaryDirectory::delete);
    }

    /** Removes the directory and its content. */
    public void delete() {
        if (Files.exists(path)) {
            clear();
            delete(path);
        }
    }

    private static boolean isInMemory() throws IOException {
        return System.getProperty("leasehold.server.files", "disk").equals("memory")
                && Files.isWritable(MEMORY)
                && Files.getFileStore(MEMORY).getUsableSpace() > ROOM_BYTES;
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
