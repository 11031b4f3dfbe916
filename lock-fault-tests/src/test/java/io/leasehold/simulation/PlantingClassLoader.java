package io.leasehold.simulation;

import io.leasehold.engine.PlantedEngineFaults;
import java.io.IOException;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.ClassFileLocator;

/** Loads the library and the simulation again, with a fault in one class of the engine. */
final class PlantingClassLoader extends ClassLoader {

    private static final String ANEW = "io.leasehold.";

    private final PlantedEngineFaults fault;

    PlantingClassLoader(PlantedEngineFaults fault) {
        super(PlantingClassLoader.class.getClassLoader());
        this.fault = fault;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(ANEW)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                byte[] bytes = bytes(name);
                loaded = defineClass(name, bytes, 0, bytes.length);
            }
            return loaded;
        }
    }

    private byte[] bytes(String name) throws ClassNotFoundException {
        ClassFileLocator locator = ClassFileLocator.ForClassLoader.of(getParent());
        try {
            if (!name.equals(fault.className())) {
                return locator.locate(name).resolve();
            }
            Class<?> original = getParent().loadClass(name);
            return fault.plant(new ByteBuddy().redefine(original, locator), original)
                    .make()
                    .getBytes();
        } catch (IOException | IllegalStateException ex) {
            throw new ClassNotFoundException(name, ex);
        }
    }
}
