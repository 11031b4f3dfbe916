package io.leasehold.benchmarks.jmh;

class PlainWork implements Work {

    @Override
    public long work(String user) {
        return user.length();
    }
}
