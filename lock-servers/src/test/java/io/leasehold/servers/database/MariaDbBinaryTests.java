package io.leasehold.servers.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MariaDbBinaryTests {

    @TempDir
    Path temporary;

    @Test
    void completesTheFilesOfAnInterruptedRun() throws IOException {
        Path home = temporary.resolve("home");
        Path program = home.resolve("bin/mariadbd");
        MariaDbBinary.unpackInto(home);
        long size = Files.size(program);
        Files.writeString(program, "half of it");
        MariaDbBinary.unpackInto(home);
        assertThat(program).isExecutable().hasSize(size);
        assertThat(home.resolve("share/mariadb_system_tables.sql")).isNotEmptyFile();
        assertThat(partsOf(home)).isEmpty();
    }

    @Test
    void severalProcessesMayUnpackAtTheSameTime() throws Exception {
        Path home = temporary.resolve("home");
        Callable<Path> unpacking = () -> MariaDbBinary.unpackInto(home);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<Path> one = threads.submit(unpacking);
            Future<Path> other = threads.submit(unpacking);
            assertThat(one.get()).isEqualTo(other.get());
        } finally {
            threads.shutdown();
        }
        assertThat(home.resolve("bin/mariadbd")).isExecutable();
        assertThat(partsOf(home)).isEmpty();
    }

    private static List<Path> partsOf(Path home) throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            return files.filter(file -> file.toString().endsWith(".part")).toList();
        }
    }
}
