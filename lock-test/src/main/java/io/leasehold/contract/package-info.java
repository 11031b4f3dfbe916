/** What every backend has to do, as tests that each of them passes unchanged. */
@NullMarked
package io.leasehold.contract;

import org.jspecify.annotations.NullMarked;
