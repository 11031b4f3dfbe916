package io.leasehold.architecture.violating.engine;

class WritesToStandardOutput {

    void write() {
        System.out.println("violation");
    }
}
