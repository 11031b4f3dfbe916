package io.leasehold.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DebianPackageTests {

    @TempDir
    Path cache;

    private final AtomicInteger downloads = new AtomicInteger();

    @Test
    void isDownloadedOnce() throws IOException {
        assertThat(program().file("bin/program")).hasContent("whole");
        assertThat(program().file("bin/program")).hasContent("whole");
        assertThat(downloads).hasValue(1);
        assertThat(names()).containsExactlyInAnyOrder("lock", "program");
    }

    @Test
    void isDownloadedOnceByConcurrentCallers() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Path>> files = Stream.generate(
                            () -> threads.submit(() -> program().file("bin/program")))
                    .limit(4)
                    .toList();
            for (Future<Path> file : files) {
                assertThat(file.get()).hasContent("whole");
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(downloads).hasValue(1);
    }

    @Test
    void replacesTheRemainsOfAKilledRun() throws IOException {
        Files.createDirectories(cache.resolve("program/bin"));
        Files.createDirectories(cache.resolve("download-1/unpacked/bin"));
        Files.writeString(cache.resolve("download-1/unpacked/bin/program"), "half");
        assertThat(program().file("bin/program")).hasContent("whole");
        assertThat(names()).containsExactlyInAnyOrder("lock", "program");
    }

    @Test
    void aFailedDownloadReportsTheReasonAndLeavesNoFiles() throws IOException {
        DebianPackage absent = new DebianPackage("absent", cache, work -> {
            Files.writeString(work.resolve("log"), "half");
            throw new IOException("no network");
        });
        assertThatThrownBy(() -> absent.file("bin/absent"))
                .hasMessageContaining("apt-get install absent")
                .hasRootCauseMessage("no network");
        assertThat(names()).containsExactly("lock");
    }

    private DebianPackage program() {
        return new DebianPackage("program", cache, work -> {
            downloads.incrementAndGet();
            Path unpacked = work.resolve("unpacked");
            Files.createDirectories(unpacked.resolve("bin"));
            Files.writeString(unpacked.resolve("bin/program"), "whole");
            return unpacked;
        });
    }

    private List<String> names() throws IOException {
        try (Stream<Path> content = Files.list(cache)) {
            return content.map(path -> path.getFileName().toString()).toList();
        }
    }
}
