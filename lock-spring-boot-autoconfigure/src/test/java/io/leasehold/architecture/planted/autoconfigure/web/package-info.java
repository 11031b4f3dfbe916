/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
