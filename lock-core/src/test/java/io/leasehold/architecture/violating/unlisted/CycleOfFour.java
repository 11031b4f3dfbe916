package io.leasehold.architecture.violating.unlisted;

import java.util.List;

/** Four types that use each other, one of them from a nested type. */
final class CycleOfFour {

    CycleOfFourB next() {
        return new CycleOfFourB();
    }
}

final class CycleOfFourB {

    CycleOfFourC[] next() {
        return new CycleOfFourC[0];
    }
}

final class CycleOfFourC {

    private static final class Nested {

        private final CycleOfFourD next = new CycleOfFourD();
    }

    Object next() {
        return new Nested().next;
    }
}

final class CycleOfFourD {

    List<CycleOfFour> next() {
        return List.of(new CycleOfFour());
    }
}
