package io.leasehold.autoconfigure;

import io.leasehold.aop.WovenDistributedLockAspect;
import org.aspectj.lang.Aspects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Lets methods that AspectJ wove run without their locks while {@code lock.aspect.enabled} is false. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(Aspects.class)
@ConditionalOnSwitch(value = ConditionalOnSwitch.ASPECT_ENABLED, on = false)
class UnlockedMethodsConfiguration {

    @Bean
    static UnlockedMethods leaseholdUnlockedMethods() {
        return new UnlockedMethods();
    }

    /** Before any bean that may call such a method. */
    static final class UnlockedMethods implements BeanFactoryPostProcessor, DisposableBean {

        private @Nullable WovenDistributedLockAspect woven;

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
            if (Aspects.hasAspect(WovenDistributedLockAspect.class)) {
                woven = Aspects.aspectOf(WovenDistributedLockAspect.class);
                woven.allowUnlocked();
            }
        }

        @Override
        public void destroy() {
            if (woven != null) {
                woven.disallowUnlocked();
            }
        }
    }
}
