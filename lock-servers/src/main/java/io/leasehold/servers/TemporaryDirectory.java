package io.leasehold.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory that a server keeps its files in, and that is removed with it. With {@code -Dleasehold.server.files=memory}
 * it is in memory where there is room: what tests await of a server that was killed, it finds there again, and no test
 * waits for a disk that other tests keep busy.
 */
public final class TemporaryDirectory {

    private static final Path MEMORY = Path.of("/dev/shm");

    private static final long ROOM_BYTES = 2L << 30;

    private final Path path;

    /** A new, empty directory whose name begins with a prefix. */
    public TemporaryDirectory(String prefix) {
        try {
            path = isInMemory() ? Files.createTempDirectory(MEMORY, prefix) : Files.createTempDirectory(prefix);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** Removes what is in the directory, and leaves the directory. */
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

    /** Removes the directory and what is in it. */
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
