package io.leasehold.autoconfigure.locker;

import io.leasehold.LockKeys;
import io.leasehold.autoconfigure.property.LockProperties;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** The name of this process as the holder of locks. */
public final class InstanceName {

    private InstanceName() {}

    /**
     * Returns the configured name, or the application's name, the host and the process id, such as
     * {@code orders@host-3:4711}. If keys are masked, so is the name, because it may identify a person's machine.
     */
    public static String of(Environment environment, LockProperties properties) {
        String configured = properties.instanceName();
        String name = StringUtils.hasText(configured)
                ? configured
                : environment.getProperty("spring.application.name", "application") + "@" + host(environment) + ":"
                        + Long.toString(ProcessHandle.current().pid());
        return properties.maskKeys() ? LockKeys.mask(name) : name;
    }

    /** The variables are read first, because the look-up of the local host may take seconds. */
    private static String host(Environment environment) {
        for (String variable : new String[] {"HOSTNAME", "COMPUTERNAME"}) {
            String host = environment.getProperty(variable);
            if (StringUtils.hasText(host)) {
                return host;
            }
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException ex) {
            return "localhost";
        }
    }
}
