package io.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector.Argument;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import io.leasehold.servers.redis.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The top-level types of this library that one annotated call enters, from the annotation to the command and back, on
 * all threads. A debugger counts them in a process of its own.
 */
class CallPathTests {

    /**
     * On the plain way, without the fast path and without observations, but with meters, events and transactions. A
     * reader has to know these types to follow one call.
     */
    private static final int MOST_TYPES = 60;

    @Test
    void anAnnotatedCallPassesFewTypes() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            Set<String> types = typesOfACall(
                    "lock.backend=redis",
                    "lock.redis.fast-path=false",
                    "lock.observations.enabled=false",
                    "spring.data.redis.port=" + redis.port());

            assertThat(types)
                    .contains(
                            "io.leasehold.aop.DistributedLockAspect",
                            "io.leasehold.engine.LeaseLocker",
                            "io.leasehold.redis.RedisLockBackend")
                    .hasSizeLessThanOrEqualTo(MOST_TYPES);
        }
    }

    private static Set<String> typesOfACall(String... properties) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Argument> arguments = connector.defaultArguments();
        arguments.get("main").setValue(AnnotatedCall.class.getName() + " " + String.join(" ", properties));
        arguments
                .get("options")
                .setValue("-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp \"" + System.getProperty("java.class.path")
                        + "\"");
        VirtualMachine machine = connector.launch(arguments);
        drain(machine.process().getInputStream());
        drain(machine.process().getErrorStream());
        try {
            return typesBetweenMarks(machine);
        } finally {
            machine.process().destroyForcibly();
        }
    }

    private static Set<String> typesBetweenMarks(VirtualMachine machine) throws InterruptedException {
        ClassPrepareRequest prepared = machine.eventRequestManager().createClassPrepareRequest();
        prepared.addClassFilter(AnnotatedCall.class.getName());
        prepared.enable();
        MethodEntryRequest entries = machine.eventRequestManager().createMethodEntryRequest();
        entries.addClassFilter("io.leasehold.*");
        entries.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        Set<String> types = new TreeSet<>();
        while (true) {
            EventSet events = machine.eventQueue().remove();
            for (Event event : events) {
                if (event instanceof ClassPrepareEvent main) {
                    BreakpointRequest mark = machine.eventRequestManager()
                            .createBreakpointRequest(main.referenceType()
                                    .methodsByName("mark")
                                    .get(0)
                                    .location());
                    mark.enable();
                } else if (event instanceof MethodEntryEvent entry) {
                    types.add(file(entry.method().declaringType().name()));
                } else if (event instanceof VMDisconnectEvent) {
                    throw new IllegalStateException("the application ended between its marks, after " + types);
                } else if (entries.isEnabled()) {
                    types.remove(AnnotatedCall.class.getName());
                    return types;
                } else if (event.request() instanceof BreakpointRequest) {
                    entries.enable();
                }
            }
            events.resume();
        }
    }

    /** The top-level type: nested types and lambdas are in its file. */
    private static String file(String type) {
        int nested = type.indexOf('$');
        return nested < 0 ? type : type.substring(0, nested);
    }

    private static void drain(InputStream output) {
        Thread thread = new Thread(() -> {
            try (output) {
                output.transferTo(OutputStream.nullOutputStream());
            } catch (IOException ended) {
                // the application has ended
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
