package io.leasehold.architecture.planted.engine;

class WritesToStandardOutput {

    void write() {
        System.out.println("planted");
    }
}
