/**
 * The stores {@code jdbc} and {@code row-lock}: their properties, data sources, tables and factories. It uses the API,
 * {@code spi}, {@code support}, the public types of {@code jdbc} and {@code jdbc.row}, {@code metrics},
 * {@code property} and {@code backend}, Spring, HikariCP and Micrometer. Only {@code io.leasehold.autoconfigure} uses
 * it.
 */
@NullMarked
package io.leasehold.autoconfigure.jdbc;

import org.jspecify.annotations.NullMarked;
