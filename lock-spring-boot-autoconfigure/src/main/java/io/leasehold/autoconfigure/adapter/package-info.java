/**
 * Wires the adapters for other libraries: a property names the locker, and the application's own bean replaces the
 * adapter. It uses the adapters, the registry of lockers and their properties. Only Spring Boot uses it.
 */
@NullMarked
package io.leasehold.autoconfigure.adapter;

import org.jspecify.annotations.NullMarked;
