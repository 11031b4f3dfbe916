package io.leasehold.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Asks connection pools for their size, if Spring Boot's support for them is there. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DataSourcePoolMetadataProvider.class)
class PoolSizeCheckConfiguration {

    @Bean
    PoolSizeCheck lockPoolSizeCheck(ObjectProvider<DataSourcePoolMetadataProvider> providers) {
        return new PoolSizeCheck(new CompositeDataSourcePoolMetadataProvider(
                providers.orderedStream().toList()));
    }
}
