package io.leasehold.architecture;

import java.util.ArrayList;
import java.util.List;

/**
 * A package and the packages that it may see besides itself, {@code java} and the nullness annotations.
 *
 * @param name the package below the root; empty for the root itself
 * @param rooms the packages below the root that it may see
 * @param libraries the packages of libraries that it may see, including their subpackages
 */
public record Room(String name, List<String> rooms, List<String> libraries) {

    private static final List<String> ALWAYS = List.of("java..", "org.jspecify.annotations..");

    /** A package that sees no library. */
    public static Room of(String name, String... rooms) {
        return new Room(name, List.of(rooms), List.of());
    }

    /** Returns this package with libraries. */
    public Room with(String... packages) {
        return new Room(name, rooms, List.of(packages));
    }

    String packageIn(String root) {
        return name.isEmpty() ? root : root + "." + name;
    }

    String[] allowedIn(String root) {
        List<String> allowed = new ArrayList<>(ALWAYS);
        allowed.add(packageIn(root));
        rooms.forEach(room -> allowed.add(of(room).packageIn(root)));
        libraries.forEach(library -> allowed.add(library + ".."));
        return allowed.toArray(String[]::new);
    }
}
