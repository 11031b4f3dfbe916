package io.leasehold.rooms;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.leasehold.architecture.HouseRules;
import io.leasehold.architecture.Room;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The list of each room notices the class that was planted to break it. */
class AutoconfigureRoomsTests {

    private static final String ROOT = "io.leasehold.rooms.planted";

    private static final JavaClasses CLASSES = new ClassFileImporter().importPackages(ROOT);

    @ParameterizedTest
    @MethodSource("plantedGlances")
    void aRoomThatSeesTooMuchIsNoticed(Room room, String planted, String seen) {
        assertThat(HouseRules.seesOnlyWhatItMay(ROOT, room)
                        .evaluate(CLASSES)
                        .getFailureReport()
                        .getDetails())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains(planted).contains(seen));
    }

    static Stream<Arguments> plantedGlances() {
        return Stream.of(
                Arguments.of(AutoconfigureRooms.ANNOTATION, "annotation.SeesSpring", "ApplicationContext"),
                Arguments.of(AutoconfigureRooms.AOP_SPEC, "aop.spec.SeesCalls", "aop.invocation.SeesTransactions"),
                Arguments.of(
                        AutoconfigureRooms.AOP_INVOCATION,
                        "aop.invocation.SeesTransactions",
                        "aop.transaction.SeesPublishers"),
                Arguments.of(AutoconfigureRooms.AOP_TRANSACTION, "aop.transaction.SeesPublishers", "Mono"),
                Arguments.of(
                        AutoconfigureRooms.AOP_REACTIVE, "aop.reactive.SeesValidation", "aop.validation.SeesActuator"),
                Arguments.of(AutoconfigureRooms.AOP, "aop.SeesMetrics", "metrics.SeesWiring"),
                Arguments.of(AutoconfigureRooms.AOP_VALIDATION, "aop.validation.SeesActuator", "actuate.SeesBeans"),
                Arguments.of(AutoconfigureRooms.EVENT, "event.SeesMicrometer", "MeterRegistry"),
                Arguments.of(AutoconfigureRooms.METRICS, "metrics.SeesWiring", "autoconfigure.SeesNetty"),
                Arguments.of(AutoconfigureRooms.ACTUATE, "actuate.SeesBeans", "BeanFactory"),
                Arguments.of(AutoconfigureRooms.RESILIENCE, "resilience.SeesBeans", "BeanFactory"),
                Arguments.of(AutoconfigureRooms.PROPERTY, "property.SeesLocker", "locker.SeesRedis"),
                Arguments.of(AutoconfigureRooms.LOCKER, "locker.SeesRedis", "redis.SeesJdbc"),
                Arguments.of(AutoconfigureRooms.REDIS, "redis.SeesJdbc", "jdbc.SeesEtcd"),
                Arguments.of(AutoconfigureRooms.JDBC, "jdbc.SeesEtcd", "etcd.SeesNetty"),
                Arguments.of(AutoconfigureRooms.ETCD, "etcd.SeesNetty", "EventLoop"),
                Arguments.of(AutoconfigureRooms.AUTOCONFIGURE, "autoconfigure.SeesNetty", "EventLoop"));
    }

    @Test
    void everyRoomHasAPlantedViolation() {
        assertThat(plantedGlances().map(arguments -> arguments.get()[0]))
                .containsExactlyElementsOf(AutoconfigureRooms.ALL);
    }
}
