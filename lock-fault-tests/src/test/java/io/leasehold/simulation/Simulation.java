package io.leasehold.simulation;

import io.leasehold.simulation.Strands.Strand;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time and all future events. Events run one at a time. Their times are drawn at random when they are created,
 * and so is the order of events at the same nanosecond.
 *
 * <p>Code that has to wait in the middle, such as a parked caller, calls {@link #await}, which runs other events on the
 * same stack until the wait is over. A wait therefore needs a thread switch only if the wait of another caller is over
 * first; see {@link Strands}.
 */
final class Simulation {

    /** The limit of events. A history with more events repeats an attempt without end. */
    private static final int MOST_EVENTS = 200_000;

    private final PriorityQueue<Event> events = new PriorityQueue<>();

    private final SplittableRandom random;

    private final Strands strands;

    private final History history;

    private final Deque<Strand> ready = new ArrayDeque<>();

    private @Nullable SimulatedThread running;

    private @Nullable Wait untilIdle;

    private @Nullable String violation;

    private Runnable afterEach = () -> {};

    private boolean ended;

    private long now;

    private int count;

    Simulation(long seed, Strands strands, History history) {
        strands.use(this);
        this.random = new SplittableRandom(seed);
        this.strands = strands;
        this.history = history;
    }

    /** True time in nanoseconds since the beginning. Processes do not know it. */
    long now() {
        return now;
    }

    SplittableRandom random() {
        return random;
    }

    History history() {
        return history;
    }

    /** The number of events so far. */
    int count() {
        return count;
    }

    /** The first finding of an oracle. */
    @Nullable
    String violation() {
        return violation;
    }

    /** Records a violation. Later events do not count. */
    void violated(String what) {
        if (violation == null && !ended) {
            violation = what;
            history.add(now, "!", what);
        }
    }

    /** Sets the check that runs after each event. */
    void afterEach(Runnable look) {
        afterEach = look;
    }

    /** The thread of a process that runs at this moment. */
    @Nullable
    SimulatedThread running() {
        return running;
    }

    /** Checks that no code of an application runs on a timer or on a thread of a store's client (rules.md R38). */
    void requireThreadOfApplication(String code) {
        if (running == null
                || running.role() == SimulatedThread.Role.TIMER
                || running.role() == SimulatedThread.Role.CLIENT) {
            violated(code + " runs on " + running);
        }
    }

    /** Runs code as a thread of a process. */
    void runAs(SimulatedThread thread, Runnable code) {
        SimulatedThread before = running;
        running = thread;
        try {
            code.run();
        } finally {
            running = before;
        }
    }

    Event after(long delay, Runnable action) {
        return at(now + delay, action);
    }

    Event at(long time, Runnable action) {
        Event event = new Event(Math.max(time, now), random.nextInt(), action);
        if (!ended) {
            events.add(event);
        }
        return event;
    }

    /**
     * A random delay around the given one: mostly between 0.5 and 1.5 times as long, occasionally many times as long.
     */
    long about(long typical) {
        long delay = typical / 2 + random.nextLong(typical + 1);
        return random.nextInt(64) == 0 ? delay * (2 + random.nextInt(8)) : delay;
    }

    /**
     * Runs a session that may wait and therefore needs a stack of its own. It uses this stack if no session is on it,
     * otherwise the stack of another real thread. It must be the last call of its event.
     */
    void begin(Runnable session) {
        Strand current = strands.current();
        boolean unused = !current.inSession && (current.top == null || current.top == untilIdle);
        if (!unused) {
            Strand free = strands.free();
            free.session = session;
            free.inSession = true;
            strands.switchTo(free);
        } else {
            current.inSession = true;
            run(session, current);
        }
    }

    /** The loop of each real thread other than the first. */
    void runUntilEnd(Strand self) {
        while (!ended) {
            Runnable session = self.session;
            Strand next = ready.poll();
            if (session != null) {
                self.session = null;
                run(session, self);
            } else if (next != null) {
                strands.switchTo(next);
            } else {
                step();
            }
        }
    }

    private void run(Runnable session, Strand on) {
        try {
            session.run();
        } catch (Ended ex) {
            // the history is over, or would be over without this session
        } finally {
            Thread.interrupted();
            on.inSession = false;
        }
    }

    /** Creates a wait of the current thread. */
    Wait newWait() {
        return new Wait(strands.current());
    }

    /** Runs events on this stack until the wait is over. */
    void await(Wait wait) {
        Strand strand = wait.strand;
        Wait below = strand.top;
        SimulatedThread thread = running;
        boolean interrupted = Thread.interrupted();
        strand.top = wait;
        try {
            while (!wait.over) {
                if (ended || isOver(wait)) {
                    throw Ended.INSTANCE;
                }
                Strand next = ready.poll();
                if (next == null) {
                    step();
                } else {
                    strands.switchTo(next);
                }
            }
        } finally {
            strand.top = below;
            running = thread;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Advances the time for the current code. */
    void sleep(long nanos) {
        Wait wait = newWait();
        after(nanos, () -> end(wait));
        await(wait);
    }

    /** Ends a wait of any thread. */
    void end(Wait wait) {
        if (!wait.over) {
            wait.over = true;
            if (wait.strand != strands.current() && wait.strand.top == wait) {
                ready.add(wait.strand);
            }
        }
    }

    /** Runs all events. The thread that began the history calls it. */
    void runUntilIdle() {
        Wait wait = newWait();
        untilIdle = wait;
        try {
            await(wait);
        } catch (Ended ex) {
            // an oracle has a finding
        }
        untilIdle = null;
    }

    /** Ends the sessions that are still waiting. */
    void end() {
        ended = true;
        events.clear();
        strands.unwind();
    }

    /** Whether the first thread waits only for a session on its stack that will never end. */
    private boolean isOver(Wait wait) {
        return untilIdle != null && untilIdle.over && wait.strand == strands.first();
    }

    private void step() {
        Event event = events.poll();
        if (violation != null || ++count > MOST_EVENTS) {
            violated("the history does not come to an end");
            ended = true;
            strands.switchTo(strands.first());
        } else if (event == null) {
            untilIdle.over = true;
            strands.switchTo(strands.first());
        } else if (!event.cancelled) {
            now = event.time;
            running = null;
            event.action.run();
            afterEach.run();
        }
    }

    /** A future event. */
    static final class Event implements Comparable<Event> {

        private final long time;

        private final int order;

        private final Runnable action;

        private boolean cancelled;

        private Event(long time, int order, Runnable action) {
            this.time = time;
            this.order = order;
            this.action = action;
        }

        void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(Event other) {
            return time == other.time ? Integer.compare(order, other.order) : Long.compare(time, other.time);
        }
    }

    /** A wait in the middle of code. */
    static final class Wait {

        private final Strand strand;

        private boolean over;

        private Wait(Strand strand) {
            this.strand = strand;
        }
    }

    /** Unwinds the stack of a session when its history is over. */
    static final class Ended extends Error {

        private static final long serialVersionUID = 1L;

        private static final Ended INSTANCE = new Ended();

        private Ended() {
            super("the history is over", null, false, false);
        }
    }
}
