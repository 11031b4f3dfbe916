@NullMarked
package io.leasehold.sample.billing;

import org.jspecify.annotations.NullMarked;
