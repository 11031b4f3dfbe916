/**
 * The stores {@code jdbc} and {@code row-lock}: their properties, data sources, tables and factories.
 */
@NullMarked
package io.leasehold.autoconfigure.jdbc;

import org.jspecify.annotations.NullMarked;
