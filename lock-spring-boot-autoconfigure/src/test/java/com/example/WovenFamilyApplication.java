package com.example;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.NotWoven;
import io.leasehold.autoconfigure.LockAspectAutoConfiguration;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.NestedExceptionUtils;

/** Parents and children without the aspect, whose beans were woven or not; prints what is refused. */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({LockAutoConfiguration.class, LockAspectAutoConfiguration.class})
public class WovenFamilyApplication {

    public static void main(String[] args) {
        try (AnnotationConfigApplicationContext parent = plain(null, NotWoven.class)) {
            report("parent", () -> run(parent));
        }
        try (AnnotationConfigApplicationContext parent = plain(null, Billing.class);
                ConfigurableApplicationContext child = run(parent)) {
            child.getBean(Billing.class).charge("of the parent");
            report("child", () -> plain(child, NotWoven.class));
            try (AnnotationConfigApplicationContext grandchild = plain(child, Billing.class)) {
                grandchild.getBean(Billing.class).charge("of the child");
            }
        }
    }

    private static void report(String what, Runnable start) {
        try {
            start.run();
            System.out.println(what + " started");
        } catch (RuntimeException ex) {
            System.out.println(what + " refused: "
                    + NestedExceptionUtils.getMostSpecificCause(ex).getMessage());
        }
    }

    private static AnnotationConfigApplicationContext plain(ConfigurableApplicationContext parent, Class<?> bean) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.setParent(parent);
        context.register(bean);
        context.refresh();
        return context;
    }

    private static ConfigurableApplicationContext run(ConfigurableApplicationContext parent) {
        return new SpringApplicationBuilder(WovenFamilyApplication.class)
                .parent(parent)
                .web(WebApplicationType.NONE)
                .properties("lock.backend=memory", "lock.aspect.mode=aspectj", "spring.main.banner-mode=off")
                .run();
    }

    static class Billing {

        @DistributedLock("#user")
        public void charge(String user) {
            System.out.println("charged under "
                    + LockContext.all().stream().map(LockHandle::key).toList());
        }
    }
}
