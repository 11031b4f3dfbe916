package io.leasehold.aop.validation;

import io.leasehold.LockerRegistry;
import io.leasehold.aop.DistributedLockAspect;
import io.leasehold.aop.spec.LockDeclarationException;
import io.leasehold.aop.spec.LockSpec;
import io.leasehold.aop.spec.MethodDescriptions;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Logs all locked methods when the application has started, as Spring Boot logs its conditions. The level debug of
 * {@code io.leasehold.report} enables it; otherwise nothing is computed.
 */
final class LockReport {

    private static final Logger LOGGER = LoggerFactory.getLogger("io.leasehold.report");

    private static final String LINE = System.lineSeparator();

    private final ConfigurableListableBeanFactory beans;

    private final LockedMethods methods;

    private LockReport(ConfigurableListableBeanFactory beans, LockedMethods methods) {
        this.beans = beans;
        this.methods = methods;
    }

    static void log(ConfigurableListableBeanFactory beans, LockedMethods methods) {
        if (LOGGER.isDebugEnabled()) {
            LOGGER.debug("{}", new LockReport(beans, methods).text());
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder()
                .append(LINE)
                .append("============================")
                .append(LINE)
                .append("LOCKED METHODS REPORT")
                .append(LINE)
                .append("============================")
                .append(LINE);
        Set<String> names = new LinkedHashSet<>(List.of(beans.getBeanDefinitionNames()));
        names.addAll(List.of(beans.getSingletonNames()));
        names.stream().sorted().forEach(name -> append(name, text));
        return text.toString();
    }

    private void append(String name, StringBuilder text) {
        Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
        Class<?> type = bean == null ? beans.getType(name, false) : methods.typeOf(bean);
        if (type == null) {
            return;
        }
        Collection<LockSpec> specs;
        try {
            specs = methods.of(type);
        } catch (LockDeclarationException ex) {
            text.append(LINE).append("   ").append(name).append(LINE);
            appendLine("invalid", ex.getMessage(), text);
            return;
        }
        if (!specs.isEmpty()) {
            text.append(LINE)
                    .append("   ")
                    .append(name)
                    .append(" (")
                    .append(type.getName())
                    .append(')')
                    .append(LINE);
        }
        specs.stream()
                .sorted(Comparator.comparing(spec -> spec.method().toString()))
                .forEach(spec -> append(spec, bean, text));
    }

    private void append(LockSpec spec, @Nullable Object bean, StringBuilder text) {
        text.append(LINE)
                .append("      ")
                .append(MethodDescriptions.describe(spec.method()))
                .append(LINE);
        appendLine("locker", spec.locker() + " (" + backend(spec.locker()) + ")", text);
        appendLine("key", spec.key().text(), text);
        appendLine("terms", terms(spec), text);
        appendLine("advice", advice(bean), text);
    }

    private static void appendLine(String label, @Nullable String value, StringBuilder text) {
        text.append(String.format("         %-8s%s", label, value)).append(LINE);
    }

    private String backend(String locker) {
        LockerRegistry lockers = beans.getBean(LockerRegistry.class);
        return lockers.names().contains(locker) ? lockers.status(locker).backend() : "no such locker";
    }

    private static String terms(LockSpec spec) {
        Map<String, @Nullable Object> terms = new LinkedHashMap<>();
        terms.put("waitTime", spec.terms().waitTime());
        terms.put("ttl", spec.terms().ttl());
        terms.put("autoRenew", spec.terms().autoRenew());
        terms.put("maxHoldTime", spec.terms().maxHoldTime());
        terms.put("minHoldTime", spec.terms().minHoldTime());
        String set = terms.entrySet().stream()
                .filter(term -> Objects.nonNull(term.getValue()))
                .map(term -> term.getKey() + "=" + term.getValue() + ", ")
                .collect(Collectors.joining());
        return set + "onFailure=" + spec.onFailure() + ", onLost=" + spec.onLost();
    }

    /** The advice of the bean, the outermost first. */
    private static String advice(@Nullable Object bean) {
        if (bean == null) {
            return "not created yet";
        }
        if (!(bean instanceof Advised proxy)) {
            return "no proxy";
        }
        return Stream.of(proxy.getAdvisors())
                .map(Advisor::getAdvice)
                .map(advice -> advice instanceof DistributedLockAspect
                        ? "[lock]"
                        : advice.getClass().getSimpleName())
                .collect(Collectors.joining(", "));
    }
}
