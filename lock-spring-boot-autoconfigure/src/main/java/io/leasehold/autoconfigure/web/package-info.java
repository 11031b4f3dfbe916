/**
 * Connects locks with Spring MVC and WebFlux: the status of a request that did not get its lock, and handles as
 * parameters of handler methods. It uses the annotation's lookup and the properties. Only Spring Boot uses it.
 */
@NullMarked
package io.leasehold.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
