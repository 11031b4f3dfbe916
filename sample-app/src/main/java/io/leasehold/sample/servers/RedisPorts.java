package io.leasehold.sample.servers;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Joins the servers before any property is bound, and says where each redis-server is: properties can then refer to
 * {@code ${sample.servers.redis-ports[0]}} and so on.
 */
record RedisPorts(ObjectProvider<SampleServers> servers, ConfigurableEnvironment environment)
        implements BeanFactoryPostProcessor {

    static final String PREFIX = "sample.servers.redis-ports";

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        Map<String, Object> ports = new TreeMap<>();
        for (int port : servers.getObject().redisPorts()) {
            ports.put(PREFIX + "[" + ports.size() + "]", port);
        }
        environment.getPropertySources().addLast(new MapPropertySource("the sample's servers", ports));
    }
}
