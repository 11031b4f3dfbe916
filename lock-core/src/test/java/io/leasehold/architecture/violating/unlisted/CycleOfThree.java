package io.leasehold.architecture.violating.unlisted;

/** Three types that use each other, which is allowed. */
final class CycleOfThree {

    CycleOfThreeB next() {
        return new CycleOfThreeB();
    }
}

final class CycleOfThreeB {

    CycleOfThreeC next() {
        return new CycleOfThreeC();
    }
}

final class CycleOfThreeC {

    CycleOfThree next() {
        return new CycleOfThree();
    }
}
