package io.leasehold.architecture;

import java.util.ArrayList;
import java.util.List;

/**
 * A package and the packages that it may see besides itself, {@code java} and the nullness annotations.
 *
 * @param name the package below the root; empty for the root itself
 * @param visible the packages below the root that it may see
 * @param libraries the packages of libraries that it may see, including their subpackages
 */
public record PackageRule(String name, List<String> visible, List<String> libraries) {

    private static final List<String> ALWAYS = List.of("java..", "org.jspecify.annotations..");

    /** A package that sees no library. */
    public static PackageRule of(String name, String... visible) {
        return new PackageRule(name, List.of(visible), List.of());
    }

    /** Returns this package with libraries. */
    public PackageRule with(String... packages) {
        return new PackageRule(name, visible, List.of(packages));
    }

    String packageIn(String root) {
        return name.isEmpty() ? root : root + "." + name;
    }

    String[] allowedIn(String root) {
        List<String> allowed = new ArrayList<>(ALWAYS);
        allowed.add(packageIn(root));
        visible.forEach(other -> allowed.add(of(other).packageIn(root)));
        libraries.forEach(library -> allowed.add(library + ".."));
        return allowed.toArray(String[]::new);
    }
}
