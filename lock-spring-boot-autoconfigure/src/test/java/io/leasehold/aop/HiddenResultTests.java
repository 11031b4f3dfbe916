package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ApplicationContext;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.InputStreamResource;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageImpl;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.ui.ConcurrentModel;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.RenderingResponse;
import org.springframework.web.reactive.function.server.ServerResponse.BodyBuilder;
import org.springframework.web.reactive.result.view.Rendering;
import org.springframework.web.servlet.function.ServerResponse;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Results whose declared type does not say that they outlive the call. */
class HiddenResultTests {

    private static final Callable<String> TASK = () -> "a";

    private static final Supplier<String> SUPPLIER = () -> "a";

    private static final Runnable JOB = () -> {};

    private static final Iterable<String> LAZY = () -> List.of("a").iterator();

    @Test
    void theLockOfAGenericMethodIsHeldUntilItsStageEnds() {
        LockedContext.with(Stages.class).run(context -> {
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = context.getBean(Stages.class).runWith(work);
            assertThat(result).isNotDone();
            assertThat(locker(context).isHeld("key")).isTrue();
            work.complete("done");
            assertThat(result).succeedsWithin(Duration.ofSeconds(10));
            assertThat(locker(context).isHeld("key")).isFalse();
        });
    }

    @Test
    void theLockOfAGenericMethodIsHeldUntilItsMonoEnds() {
        LockedContext.with(Monos.class).run(context -> {
            Mono<Boolean> held = context.getBean(Monos.class)
                    .runWith(Mono.fromSupplier(() -> locker(context).isHeld("key")));
            assertThat(locker(context).isHeld("key")).isFalse();
            assertThat(held.block()).isTrue();
            assertThat(locker(context).isHeld("key")).isFalse();
        });
    }

    @Test
    void whatIsReturnedAsAnObjectAndGoesOnIsRefused() {
        LockedContext.with(Untyped.class).run(context -> {
            Untyped work = context.getBean(Untyped.class);
            List<Object> later = List.of(
                    new CompletableFuture<>(),
                    new CompletableFuture<>().minimalCompletionStage(),
                    Mono.just(1),
                    Flux.range(1, 2),
                    Optional.of(new CompletableFuture<>()),
                    Stream.of(1),
                    List.of(new CompletableFuture<>()),
                    Map.of("a", new CompletableFuture<>()),
                    new Object[] {new CompletableFuture<>()},
                    ResponseEntity.ok(new CompletableFuture<>()),
                    ResponseEntity.ok(List.of(Mono.just(1))),
                    LAZY,
                    Optional.of(LAZY),
                    new Iterable<String>() {

                        @Override
                        public Iterator<String> iterator() {
                            return List.of("a").iterator();
                        }
                    },
                    new Cursor(),
                    List.of("a").iterator(),
                    SUPPLIER,
                    JOB,
                    Flux.never().subscribe(),
                    Optional.of(Flux.never().subscribe()),
                    List.of("a").spliterator(),
                    Reader.nullReader(),
                    InputStream.nullInputStream(),
                    ResponseEntity.ok(new InputStreamResource(InputStream.nullInputStream())),
                    ServerResponse.ok().body(new CompletableFuture<>()),
                    ServerResponse.async(new CompletableFuture<>()),
                    ServerResponse.sse(events -> {}),
                    ServerResponse.ok().stream(stream -> {}));
            for (Object result : later) {
                assertThatThrownBy(() -> work.run(result)).satisfies(Refusals.ofKind(Kind.RESULT));
                assertThatThrownBy(() -> work.<Object>erased(result)).satisfies(Refusals.ofKind(Kind.RESULT));
            }
            assertThat(locker(context).heldCount()).isZero();
        });
    }

    @Test
    void whatIsReturnedAsAnObjectAndIsDoneIsAResult() {
        LockedContext.with(Untyped.class).run(context -> {
            Untyped work = context.getBean(Untyped.class);
            assertThat(work.run("a")).isEqualTo("a");
            assertThat(work.run(CompletableFuture.completedFuture("a"))).isNotNull();
            assertThat(work.run(CompletableFuture.completedStage("a"))).isNotNull();
            for (Object result : List.of(
                    Optional.empty(),
                    List.of(),
                    List.of(TASK),
                    List.of(SUPPLIER),
                    List.of("a"),
                    Map.of(),
                    Map.of("a", 1).keySet(),
                    Path.of("a"),
                    new Basket(),
                    new PageImpl<>(List.of("a")),
                    new ByteArrayInputStream(new byte[1]),
                    new StringReader("a"),
                    Schedulers.immediate(),
                    new ByteArrayResource(new byte[1]),
                    ServerResponse.ok().body("a"),
                    ServerResponse.noContent().build(),
                    new Object[1],
                    new int[1])) {
                assertThat(work.run(result)).isSameAs(result);
            }
        });
    }

    @Test
    void aCollectionThatAnotherThreadChangesMeanwhileIsAResult() throws InterruptedException {
        Map<String, String> live = new ConcurrentHashMap<>();
        AtomicBoolean ended = new AtomicBoolean();
        Thread other = new Thread(() -> {
            while (!ended.get()) {
                live.put("a", "b");
                live.remove("a");
            }
        });
        other.start();
        try {
            LockedContext.with(Untyped.class).run(context -> {
                Untyped work = context.getBean(Untyped.class);
                for (int i = 0; i < 5_000; i++) {
                    assertThat(work.run(live)).isSameAs(live);
                    assertThat(work.run(live.values())).isNotNull();
                }
            });
        } finally {
            ended.set(true);
            other.join();
        }
    }

    @Test
    void aMonoWhoseValueGoesOnIsRefused() {
        LockedContext.with(UntypedMono.class).run(context -> {
            UntypedMono work = context.getBean(UntypedMono.class);
            List<Mono<?>> later = List.of(
                    Mono.just(Flux.just(1)),
                    Mono.just(ResponseEntity.ok(Flux.just(1))),
                    org.springframework.web.reactive.function.server.ServerResponse.ok()
                            .body(Flux.just("a"), String.class));
            for (Mono<?> result : later) {
                assertThatThrownBy(() -> work.run(result).block()).satisfies(Refusals.ofKind(Kind.RESULT));
            }
            assertThat(locker(context).heldCount()).isZero();
        });
    }

    @Test
    void aResponseThatAFunctionWritesFromAPublisherIsRefused() {
        LockedContext.with(UntypedMono.class).run(context -> {
            UntypedMono work = context.getBean(UntypedMono.class);
            Flux<String> elements = Flux.just("a");
            for (Mono<?> result : List.<Mono<?>>of(
                    ok().build(elements.then()),
                    ok().body(BodyInserters.fromPublisher(elements, String.class)),
                    ok().body(BodyInserters.fromProducer(elements, String.class)),
                    ok().body(BodyInserters.fromProducer(new CompletableFuture<>(), String.class)),
                    ok().body(BodyInserters.fromServerSentEvents(
                            elements.map(text -> ServerSentEvent.builder(text).build()))),
                    ok().body(BodyInserters.fromDataBuffers(Flux.empty())),
                    ok().body(BodyInserters.fromResource(new InputStreamResource(InputStream.nullInputStream()))))) {
                assertThatThrownBy(() -> work.run(result).block()).satisfies(Refusals.ofKind(Kind.RESULT));
            }
            for (Mono<?> result : List.<Mono<?>>of(
                    ok().body(BodyInserters.fromValue("a")),
                    ok().body(BodyInserters.fromProducer(CompletableFuture.completedFuture("a"), String.class)),
                    ok().build((exchange, writers) -> Mono.empty()))) {
                assertThat(work.run(result).block()).isNotNull();
            }
            assertThat(locker(context).heldCount()).isZero();
        });
    }

    @Test
    void aModelWithAnAttributeThatGoesOnIsRefused() {
        LockedContext.with(Untyped.class, UntypedMono.class).run(context -> {
            Map<String, Object> later = new TreeMap<>(Map.of("a", "done", "b", Flux.just(1)));
            Map<String, Object> done = Map.of("a", "done", "b", CompletableFuture.completedFuture(1));
            for (Map<String, Object> model : List.of(later, done)) {
                for (Object view : List.of(
                        new ConcurrentModel().addAllAttributes(model),
                        Rendering.view("orders").model(model).build(),
                        RenderingResponse.create("orders")
                                .modelAttributes(model)
                                .build()
                                .block())) {
                    ThrowingCallable call = () -> context.getBean(Untyped.class).run(view);
                    ThrowingCallable mono = () -> context.getBean(UntypedMono.class)
                            .run(Mono.just(view))
                            .block();
                    for (ThrowingCallable each : List.of(call, mono)) {
                        if (model == done) {
                            assertThatNoException().isThrownBy(each);
                        } else {
                            assertThatThrownBy(each).satisfies(Refusals.ofKind(Kind.RESULT));
                        }
                    }
                }
            }
            assertThat(locker(context).heldCount()).isZero();
        });
    }

    @Test
    void aFutureWhoseValueGoesOnIsRefused() {
        LockedContext.with(UntypedFuture.class).run(context -> {
            UntypedFuture work = context.getBean(UntypedFuture.class);
            List<?> later = List.of(Flux.just(1), ResponseEntity.ok(Flux.just(1)), Stream.of(1));
            for (Object value : later) {
                assertThatThrownBy(() -> work.run(CompletableFuture.completedFuture(value))
                                .join())
                        .satisfies(Refusals.rootOfKind(Kind.RESULT));
            }
            assertThat(work.run(CompletableFuture.completedFuture("a")).join()).isEqualTo("a");
            assertThat(work.run(CompletableFuture.completedFuture(null)).join()).isNull();
            assertThat(locker(context).heldCount()).isZero();
        });
    }

    @Test
    void aMonoWhoseValueIsDoneIsAResult() {
        LockedContext.with(UntypedMono.class).run(context -> {
            UntypedMono work = context.getBean(UntypedMono.class);
            List<Mono<?>> done = List.of(
                    Mono.just("a"),
                    Mono.just(SUPPLIER),
                    Mono.just(ResponseEntity.ok("a")),
                    org.springframework.web.reactive.function.server.ServerResponse.ok()
                            .bodyValue("a"),
                    org.springframework.web.reactive.function.server.ServerResponse.ok()
                            .build());
            for (Mono<?> result : done) {
                assertThat(work.run(result).block()).isNotNull();
            }
            assertThat(work.run(Mono.empty()).block()).isNull();
        });
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ReturnsStream.class,
                ReturnsOptionalStage.class,
                ReturnsListOfStages.class,
                ReturnsArrayOfStages.class,
                ReturnsMonoOfFlux.class,
                ReturnsStageOfStream.class,
                ReturnsFluxOfMonos.class,
                ReturnsIterator.class,
                ReturnsOptionalIterator.class,
                ReturnsCursor.class,
                ReturnsSupplier.class,
                ReturnsRunnable.class,
                ReturnsDisposable.class,
                ReturnsOptionalDisposable.class,
                ReturnsSink.class,
                ReturnsResultSet.class,
                ReturnsEnumeration.class,
                ReturnsInputStream.class,
                ReturnsInputStreamResource.class
            })
    void aTypeThatContainsWhatGoesOnIsRefusedAtTheStart(Class<?> bean) {
        LockedContext.with(bean)
                .run(context -> assertThat(context).getFailure().satisfies(Refusals.rootOfKind(Kind.RESULT)));
    }

    @Test
    void aPageHasElementsAlthoughItSuppliesAStream() {
        LockedContext.with(ReturnsPage.class)
                .run(context ->
                        assertThat(context.getBean(ReturnsPage.class).run()).containsExactly("a"));
    }

    private static BodyBuilder ok() {
        return org.springframework.web.reactive.function.server.ServerResponse.ok();
    }

    private static RecordingLocker locker(ApplicationContext context) {
        return context.getBean("defaultLocker", RecordingLocker.class);
    }

    static class Generic<R> {

        @DistributedLock("'key'")
        public R runWith(R work) {
            return Objects.requireNonNull(work);
        }
    }

    static class Stages extends Generic<CompletableFuture<String>> {}

    static class Monos extends Generic<Mono<Boolean>> {}

    static class Untyped {

        @DistributedLock("'key'")
        public Object run(Object result) {
            return result;
        }

        @DistributedLock("'key'")
        @SuppressWarnings("unchecked")
        public <T> T erased(Object result) {
            return (T) result;
        }
    }

    static class UntypedFuture {

        @DistributedLock("'key'")
        public CompletableFuture<?> run(CompletableFuture<?> result) {
            return result;
        }
    }

    static class UntypedMono {

        @DistributedLock("'key'")
        public Mono<?> run(Mono<?> result) {
            return result;
        }
    }

    /** A collection of the application. */
    static class Basket implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return List.of("a").iterator();
        }
    }

    /** Reads from a connection until it is closed. */
    static class Cursor extends Basket implements AutoCloseable {

        @Override
        public void close() {}
    }

    static class ReturnsPage {

        @DistributedLock("'key'")
        public Page<String> run() {
            return new PageImpl<>(List.of("a"));
        }
    }

    static class ReturnsIterator {

        @DistributedLock("'key'")
        public Iterator<String> work() {
            return List.of("a").iterator();
        }
    }

    static class ReturnsOptionalIterator {

        @DistributedLock("'key'")
        public Optional<Iterator<String>> work() {
            return Optional.empty();
        }
    }

    static class ReturnsCursor {

        @DistributedLock("'key'")
        public Cursor work() {
            return new Cursor();
        }
    }

    static class ReturnsSupplier {

        @DistributedLock("'key'")
        public Supplier<String> work() {
            return SUPPLIER;
        }
    }

    static class ReturnsRunnable {

        @DistributedLock("'key'")
        public Runnable work() {
            return JOB;
        }
    }

    static class ReturnsDisposable {

        @DistributedLock("'key'")
        public Disposable work() {
            return Flux.never().subscribe();
        }
    }

    static class ReturnsOptionalDisposable {

        @DistributedLock("'key'")
        public Optional<Disposable> work() {
            return Optional.empty();
        }
    }

    static class ReturnsSink {

        @DistributedLock("'key'")
        public Sinks.One<String> work() {
            return Sinks.one();
        }
    }

    static class ReturnsResultSet {

        @DistributedLock("'key'")
        public @Nullable ResultSet work() {
            return null;
        }
    }

    static class ReturnsEnumeration {

        @DistributedLock("'key'")
        public Enumeration<String> work() {
            return Collections.emptyEnumeration();
        }
    }

    static class ReturnsInputStream {

        @DistributedLock("'key'")
        public InputStream work() {
            return InputStream.nullInputStream();
        }
    }

    static class ReturnsInputStreamResource {

        @DistributedLock("'key'")
        public ResponseEntity<InputStreamResource> work() {
            return ResponseEntity.ok().build();
        }
    }

    static class ReturnsStream {

        @DistributedLock("'key'")
        public Stream<String> work() {
            return Stream.of();
        }
    }

    static class ReturnsOptionalStage {

        @DistributedLock("'key'")
        public Optional<CompletableFuture<String>> work() {
            return Optional.empty();
        }
    }

    static class ReturnsListOfStages {

        @DistributedLock("'key'")
        public List<CompletableFuture<String>> work() {
            return List.of();
        }
    }

    static class ReturnsArrayOfStages {

        @DistributedLock("'key'")
        public CompletableFuture<?>[] run() {
            return new CompletableFuture<?>[0];
        }
    }

    static class ReturnsMonoOfFlux {

        @DistributedLock("'key'")
        public Mono<ResponseEntity<Flux<String>>> run() {
            return Mono.empty();
        }
    }

    static class ReturnsStageOfStream {

        @DistributedLock("'key'")
        public CompletableFuture<Stream<String>> run() {
            return new CompletableFuture<>();
        }
    }

    static class ReturnsFluxOfMonos {

        @DistributedLock("'key'")
        public Flux<Mono<String>> run() {
            return Flux.empty();
        }
    }
}
