package io.leasehold.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory that a server keeps its files in, and that is removed with it. */
final class TemporaryDirectory {

    private final Path path;

    TemporaryDirectory(String prefix) {
        try {
            path = Files.createTempDirectory(prefix);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    Path path() {
        return path;
    }

    /** Removes what is in the directory, and leaves the directory. */
    void clear() {
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

    void delete() {
        if (Files.exists(path)) {
            clear();
            delete(path);
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
