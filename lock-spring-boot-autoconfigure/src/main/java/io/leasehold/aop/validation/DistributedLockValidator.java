package io.leasehold.aop.validation;

import io.leasehold.LockerRegistry;
import io.leasehold.aop.DistributedLockAdvisor;
import io.leasehold.aop.WovenDistributedLockAspect;
import io.leasehold.aop.spec.LockDeclarationException;
import io.leasehold.aop.spec.LockSpec;
import io.leasehold.aop.spec.LockSpecs;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.util.ClassUtils;

/**
 * Validates every annotated method of every bean before it is called. Fails the start of the application with a
 * {@link LockDeclarationException} if a method cannot work or would run without its lock.
 *
 * <p>Declarations are validated when a bean is created. Its proxy and its lockers are validated when all singletons
 * have been created, or immediately for beans that are created later or are not singletons. The classes of beans that are
 * created later are validated at the start as well. Declare the validator by a static bean method. It needs only the bean factory, and looks up the lockers only if there are annotated methods.
 */
public final class DistributedLockValidator
        implements SmartInstantiationAwareBeanPostProcessor, SmartInitializingSingleton {

    /** The name of the bean. A context without it does not intercept annotated methods. */
    public static final String BEAN_NAME = "leaseholdValidator";

    private static final Logger LOGGER = LoggerFactory.getLogger(DistributedLockValidator.class);

    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.interceptor.TransactionInterceptor",
            DistributedLockValidator.class.getClassLoader());

    private static final String CREATOR = "org.springframework.aop.config.internalAutoProxyCreator";

    private final LockerCheck lockers = new LockerCheck();

    private final LockedMethods methods;

    private final ConfigurableListableBeanFactory beanFactory;

    private final boolean woven;

    private final Map<String, Collection<LockSpec>> unchecked = new ConcurrentHashMap<>();

    /** The beans with locked methods that the bean factory has created since this one. */
    private final Set<String> created = ConcurrentHashMap.newKeySet();

    /** The beans whose proxy was made before the bean was initialized, for others that refer to it in a circle. */
    private final Set<String> proxiedEarly = ConcurrentHashMap.newKeySet();

    private volatile boolean singletonsAreThere;

    /**
     * Creates the validator.
     *
     * @param specs the specs of the annotated methods
     * @param beanFactory the factory of the beans
     * @param woven whether {@link WovenDistributedLockAspect} intercepts the calls, and not
     *     {@link DistributedLockAdvisor}
     */
    public DistributedLockValidator(LockSpecs specs, ConfigurableListableBeanFactory beanFactory, boolean woven) {
        this.methods = new LockedMethods(specs, woven);
        this.beanFactory = beanFactory;
        this.woven = woven;
    }

    @Override
    public Object getEarlyBeanReference(Object bean, String beanName) {
        proxiedEarly.add(beanName);
        if (!woven) {
            check(beanName, () -> ProxyCheck.requireNotCalledByContainer(specs(bean, beanName)));
        }
        return bean;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        Collection<LockSpec> specs = specs(bean, beanName);
        if (!specs.isEmpty() && !TestDoubles.isMock(bean)) {
            created.add(beanName);
            checkWeaving(beanName, specs);
            if (!woven) {
                check(beanName, () -> requireProxyable(bean.getClass(), beanName, specs));
            }
            checkLockers(beanName, specs);
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof FactoryBean) && isFactory(beanName)) {
            created.add(beanName);
            checkLockers(beanName, specs(bean, beanName));
            checkProxy(bean, beanName);
        } else if (!isSingleton(bean, beanName) || singletonsAreThere && isProxiedNow(beanName)) {
            checkProxy(bean, beanName);
        }
        return bean;
    }

    private boolean isProxiedNow(@Nullable String beanName) {
        return beanName != null && !proxiedEarly.contains(beanName);
    }

    @Override
    public void afterSingletonsInstantiated() {
        singletonsAreThere = true;
        unchecked.forEach(this::checkLockers);
        unchecked.clear();
        for (String beanName : beanFactory.getSingletonNames()) {
            Object bean = beanFactory.getSingleton(beanName);
            if (bean instanceof FactoryBean<?> factory) {
                checkEarlyProduct(factory, beanName);
            }
            if (bean != null && !isRegisteredUnproxied(bean, beanName)) {
                checkProxy(bean, beanName);
            }
        }
        if (!woven) {
            checkDefinitions();
        }
        LockReport.log(beanFactory, methods);
    }

    /**
     * Checks the beans that are created later, as far as their class is known. The proxy of a {@code @Lazy} injection
     * point is no bean and runs a final method on itself, so that the bean behind it would never be created and checked.
     */
    private void checkDefinitions() {
        for (String beanName : beanFactory.getBeanDefinitionNames()) {
            BeanDefinition definition = beanFactory.getMergedBeanDefinition(beanName);
            if (definition.isAbstract() || beanFactory.containsSingleton(beanName) || isFactory(beanName)) {
                continue;
            }
            Class<?> type = beanFactory.getType(beanName, false);
            if (type != null) {
                check(beanName, () -> requireProxyable(type, beanName, methods.of(type)));
            }
        }
    }

    private void requireProxyable(Class<?> type, String beanName, Collection<LockSpec> specs) {
        if (!specs.isEmpty()) {
            ProxyCheck.requireProxyable(
                    type, isProxiedBySubclass(beanName), ContainerCalls.of(type, definition(beanName)), specs);
        }
    }

    /** A product that was made before this post-processor is not proxied either. Its factory reports its type. */
    private void checkEarlyProduct(FactoryBean<?> factory, String beanName) {
        Class<?> type = factory.getObjectType();
        if (type != null
                && factory.isSingleton()
                && !created.contains(beanName)
                && !methods.of(type).isEmpty()) {
            checkProxy(beanFactory.getBean(beanName), beanName);
        }
    }

    /** Post-processors do not process a singleton that is registered as an object, so it is never proxied. */
    private boolean isRegisteredUnproxied(Object bean, String beanName) {
        if (woven || beanFactory.containsBeanDefinition(beanName) || AopUtils.isAopProxy(bean)) {
            return false;
        }
        if (!isTestDouble(bean, beanName) && !specs(bean, beanName).isEmpty()) {
            LOGGER.warn(
                    "Singleton '{}' of {} was registered as an object, so that it is not proxied: its methods run without"
                            + " their locks. Register a bean definition instead",
                    beanName,
                    bean.getClass().getName());
        }
        return true;
    }

    /** A test double is registered as an object, under the definition of the bean that it replaces. */
    private boolean isTestDouble(Object bean, String beanName) {
        return TestDoubles.isMock(bean)
                || TestDoubles.mayReplace(beanFactory) && !AopUtils.isAopProxy(bean) && !created.contains(beanName);
    }

    private void checkProxy(Object bean, String beanName) {
        Collection<LockSpec> specs = specs(bean, beanName);
        if (bean instanceof ScopedObject) {
            if (!woven) {
                check(beanName, () -> ProxyCheck.requirePassedOn(bean, specs));
            }
            return;
        }
        if (specs.isEmpty() || isTestDouble(bean, beanName)) {
            return;
        }
        checkWeaving(beanName, specs);
        if (woven) {
            check(beanName, () -> ProxyCheck.requireNotAwaited(bean, specs));
            return;
        }
        check(beanName, () -> ProxyCheck.requireIntercepted(bean, creatorIs(ProxyConfig::isOpaque), specs));
        if (TRANSACTIONS && bean instanceof Advised proxy) {
            TransactionOrderCheck.warn(beanName, proxy, specs);
        }
    }

    /** Also for beans that were made before this post-processor, and for the products of factories. */
    private void checkWeaving(String beanName, Collection<LockSpec> specs) {
        check(beanName, () -> {
            ProxyCheck.requireNotWovenAsync(beanFactory, woven, specs);
            if (woven) {
                ProxyCheck.requireWoven(specs);
            } else {
                ProxyCheck.requireFallbacksWithoutLock(specs);
            }
        });
    }

    private void checkLockers(String beanName, Collection<LockSpec> specs) {
        if (singletonsAreThere) {
            lockers.check(beanName, specs, beanFactory.getBean(LockerRegistry.class));
        } else {
            unchecked.put(beanName, specs);
        }
    }

    private Collection<LockSpec> specs(Object bean, String beanName) {
        try {
            return methods.of(methods.typeOf(bean));
        } catch (LockDeclarationException ex) {
            throw ex.inBean(beanName);
        }
    }

    private static void check(String beanName, Runnable check) {
        try {
            check.run();
        } catch (LockDeclarationException ex) {
            throw ex.inBean(beanName);
        }
    }

    private boolean isFactory(@Nullable String beanName) {
        return beanName != null && beanFactory.containsBeanDefinition(beanName) && beanFactory.isFactoryBean(beanName);
    }

    /** Prototypes, inner beans and beans of other scopes are in no list that could be processed later. */
    private boolean isSingleton(Object bean, @Nullable String beanName) {
        return bean instanceof FactoryBean
                || beanName == null
                || (beanFactory.containsBeanDefinition(beanName)
                        && beanFactory.getMergedBeanDefinition(beanName).isSingleton());
    }

    private @Nullable BeanDefinition definition(String beanName) {
        return beanFactory.containsBeanDefinition(beanName) ? beanFactory.getMergedBeanDefinition(beanName) : null;
    }

    private boolean isProxiedBySubclass(String beanName) {
        if (beanFactory.containsBeanDefinition(beanName)
                && beanFactory.getBeanDefinition(beanName).getAttribute(AutoProxyUtils.EXPOSED_INTERFACES_ATTRIBUTE)
                        != null) {
            return false;
        }
        return AutoProxyUtils.shouldProxyTargetClass(beanFactory, beanName)
                || creatorIs(ProxyConfig::isProxyTargetClass);
    }

    private boolean creatorIs(Predicate<ProxyConfig> setting) {
        return beanFactory.containsBean(CREATOR) && setting.test(beanFactory.getBean(CREATOR, ProxyConfig.class));
    }
}
