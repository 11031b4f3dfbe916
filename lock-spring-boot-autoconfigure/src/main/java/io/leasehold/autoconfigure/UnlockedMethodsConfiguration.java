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
    static WovenContext leaseholdWovenContext() {
        return new WovenContext(false);
    }

    /**
     * Tells the only aspect of the class loader whether this context locks its methods, before any bean calls one, until
     * the last bean of the context is destroyed.
     */
    static final class WovenContext implements BeanFactoryPostProcessor, DisposableBean {

        private final boolean locks;

        private @Nullable WovenDistributedLockAspect woven;

        WovenContext(boolean locks) {
            this.locks = locks;
        }

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
            if (Aspects.hasAspect(WovenDistributedLockAspect.class)) {
                woven = Aspects.aspectOf(WovenDistributedLockAspect.class);
                woven.addContext(this, locks);
            }
        }

        @Override
        public void destroy() {
            if (woven != null) {
                woven.removeContext(this);
            }
        }
    }
}
