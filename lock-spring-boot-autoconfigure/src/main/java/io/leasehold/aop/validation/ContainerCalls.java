package io.leasehold.aop.validation;

import io.leasehold.aop.spec.LockAnnotations;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/** The methods of a bean that the container calls on the bean itself, without its proxy. */
final class ContainerCalls {

    private static final Set<String> LIFECYCLE =
            Set.of("jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy");

    private static final String SMART_LIFECYCLE = "org.springframework.context.SmartLifecycle";

    private static final Set<String> INJECTION = Set.of(
            "org.springframework.beans.factory.annotation.Autowired",
            "org.springframework.beans.factory.annotation.Value",
            "jakarta.persistence.PersistenceContext",
            "jakarta.persistence.PersistenceUnit",
            "jakarta.inject.Inject",
            "jakarta.annotation.Resource");

    /** Their post-processors keep the bean that they process, in order to call the method. */
    private static final List<String> SCHEDULES_AND_LISTENERS = List.of(
            "org.springframework.scheduling.annotation.Scheduled",
            "org.springframework.jms.annotation.JmsListener",
            "org.springframework.kafka.annotation.KafkaListener",
            "org.springframework.kafka.annotation.KafkaHandler",
            "org.springframework.kafka.annotation.DltHandler",
            "org.springframework.amqp.rabbit.annotation.RabbitListener",
            "org.springframework.amqp.rabbit.annotation.RabbitHandler",
            "org.springframework.amqp.client.annotation.AmqpListener",
            "org.springframework.data.redis.annotation.RedisListener",
            "org.springframework.pulsar.annotation.PulsarListener",
            "org.springframework.pulsar.annotation.PulsarReader",
            "org.springframework.pulsar.reactive.config.annotation.ReactivePulsarListener",
            "org.springframework.integration.annotation.ServiceActivator",
            "org.springframework.integration.annotation.Transformer",
            "org.springframework.integration.annotation.Router",
            "org.springframework.integration.annotation.Filter",
            "org.springframework.integration.annotation.Splitter",
            "org.springframework.integration.annotation.Aggregator",
            "org.springframework.integration.annotation.InboundChannelAdapter",
            "io.awspring.cloud.sqs.annotation.SqsListener",
            "io.awspring.cloud.sqs.annotation.SqsHandler",
            "com.azure.spring.messaging.servicebus.implementation.core.annotation.ServiceBusListener");

    private static final List<Class<?>> CONTAINER = List.of(InitializingBean.class, DisposableBean.class, Aware.class);

    /** Methods without parameters that are called by their names. */
    private final Set<String> names;

    private ContainerCalls(Set<String> names) {
        this.names = names;
    }

    /** The calls of one bean, whose merged definition is {@code null} if it has none. */
    static ContainerCalls of(Class<?> type, @Nullable BeanDefinition definition) {
        Set<String> names = new HashSet<>();
        if (definition instanceof AbstractBeanDefinition defined) {
            addTo(names, defined.getInitMethodNames());
            if (!defined.isPrototype()) {
                addTo(names, defined.getDestroyMethodNames());
            }
            boolean infers = names.remove(AbstractBeanDefinition.INFER_METHOD)
                    || defined.getDestroyMethodNames() == null
                            && !defined.isPrototype()
                            && AutoCloseable.class.isAssignableFrom(type);
            if (infers && !DisposableBean.class.isAssignableFrom(type)) {
                names.add(inferred(type));
            }
        }
        if (ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .anyMatch(one -> one.getName().equals(SMART_LIFECYCLE))) {
            // by its default method stop(Runnable)
            names.add("stop");
        }
        return new ContainerCalls(names);
    }

    /** The rule of the container, which looks for the one method before the other. */
    private static String inferred(Class<?> type) {
        return ClassUtils.hasMethod(type, "close") ? "close" : "shutdown";
    }

    private static void addTo(Set<String> names, String @Nullable [] more) {
        if (more != null) {
            names.addAll(Arrays.asList(more));
        }
    }

    /** The simple name of the annotation by which a post-processor of the container calls the method, if there is one. */
    static Optional<String> byPostProcessor(Method method) {
        MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        return SCHEDULES_AND_LISTENERS.stream()
                .filter(annotations::isPresent)
                .map(ClassUtils::getShortName)
                .findFirst();
    }

    /** An annotated type does not mean the methods by which the container makes and ends the bean. */
    boolean contains(Method method) {
        return LockAnnotations.isOnMethod(method)
                && (carriesOne(LIFECYCLE, method)
                        || carriesOne(INJECTION, method)
                        || method.getParameterCount() == 0 && names.contains(method.getName())
                        || implementsMethodOfContainer(method));
    }

    private static boolean carriesOne(Set<String> annotations, Method method) {
        return Arrays.stream(method.getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(type -> annotations.contains(type.getName()));
    }

    private static boolean implementsMethodOfContainer(Method method) {
        return ClassUtils.getAllInterfacesForClassAsSet(method.getDeclaringClass()).stream()
                .filter(one -> CONTAINER.stream().anyMatch(of -> of.isAssignableFrom(one)))
                .anyMatch(one -> ClassUtils.hasMethod(one, method.getName(), method.getParameterTypes()));
    }
}
