@NullMarked
package io.leasehold.sample.deploy;

import org.jspecify.annotations.NullMarked;
