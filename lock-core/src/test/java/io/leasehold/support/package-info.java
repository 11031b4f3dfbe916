@NullMarked
package io.leasehold.support;

import org.jspecify.annotations.NullMarked;
