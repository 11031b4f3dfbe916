package io.leasehold.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * The class path of the tests without the jars and folders that have some packages. The library and its dependencies are
 * loaded anew from it, so that a reference to an absent class fails as it does in an application.
 */
final class SmallerClassPath {

    private static final Map<Path, Set<String>> FOLDERS = new ConcurrentHashMap<>();

    private SmallerClassPath() {}

    /** Runs a program of the tests, which is loaded from the smaller class path like everything else. */
    static void run(Class<? extends Runnable> program, String... absentPackages) throws Exception {
        ClassLoader former = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader smaller =
                new URLClassLoader(urlsWithout(absentPackages), ClassLoader.getPlatformClassLoader())) {
            Thread.currentThread().setContextClassLoader(smaller);
            Class<?> reloaded = Class.forName(program.getName(), true, smaller);
            ((Runnable) reloaded.getDeclaredConstructor().newInstance()).run();
        } finally {
            Thread.currentThread().setContextClassLoader(former);
        }
    }

    private static URL[] urlsWithout(String... packages) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        int removed = 0;
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String entry : classPath.split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.exists(path) && !hasAny(path, packages)) {
                urls.add(path.toUri().toURL());
            } else if (Files.exists(path)) {
                removed++;
            }
        }
        if (removed < packages.length) {
            throw new IllegalArgumentException("not on the class path: one of " + Arrays.toString(packages));
        }
        return urls.toArray(URL[]::new);
    }

    private static boolean hasAny(Path entry, String... packages) {
        Set<String> known = FOLDERS.computeIfAbsent(entry, SmallerClassPath::folders);
        return Arrays.stream(packages).anyMatch(name -> known.contains(name.replace('.', '/')));
    }

    private static Set<String> folders(Path entry) {
        Set<String> folders = new HashSet<>();
        try {
            if (Files.isDirectory(entry)) {
                try (Stream<Path> files = Files.walk(entry)) {
                    files.map(file -> entry.relativize(file).toString()).forEach(file -> addFolders(file, folders));
                }
            } else {
                try (JarFile jar = new JarFile(entry.toFile())) {
                    jar.stream().forEach(file -> addFolders(file.getName(), folders));
                }
            }
            return folders;
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static void addFolders(String file, Set<String> folders) {
        for (int end = file.lastIndexOf('/'); end > 0 && folders.add(file.substring(0, end)); ) {
            end = file.lastIndexOf('/', end - 1);
        }
    }
}
