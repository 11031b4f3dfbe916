package io.leasehold.servers.etcd;

import io.leasehold.servers.DebianPackage;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;

/** The etcd program: the one on the PATH, else Debian's. */
final class EtcdBinary {

    private static final Path PATH = find();

    private EtcdBinary() {}

    static Path path() {
        return PATH;
    }

    private static Path find() {
        return Arrays.stream(
                        Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "etcd"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(() -> new DebianPackage("etcd-server").file("usr/bin/etcd"));
    }
}
