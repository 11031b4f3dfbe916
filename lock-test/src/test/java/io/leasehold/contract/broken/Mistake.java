package io.leasehold.contract.broken;

import java.util.List;

/** Mistakes of real locks, and the tests of the contract that detect each of them. */
enum Mistake {
    GRANTS_A_HELD_LOCK("aHeldLockIsBusyForAnotherProcess", "aWaiterIsGrantedALockThatHasExpired"),
    GRANTS_TWO_OF_MANY("exactlyOneOfManyIsGrantedTheLock"),
    GRANTS_TO_THE_PROCESS_OF_THE_HOLDER("aHeldLockIsBusyForTheInstanceThatHoldsIt"),
    IS_BUSY_FOR_ITS_OWN_TOKEN("aRepeatedAcquisitionHasTheSameFence"),
    MINTS_A_SECOND_FENCE_FOR_A_TOKEN("aRepeatedAcquisitionHasTheSameFence"),
    DOES_NOT_RENEW_WHEN_REPEATED("aRepeatedAcquisitionRenewsTheLease"),
    GRANTS_WHOLE_SECONDS("grantedRenewedRepeatedAndRetainedLeasesLastForTheirMilliseconds"),
    REFUSAL_PROLONGS_THE_LEASE("aLeaseExpiresWhileOthersAreRefused"),
    REMAINING_TIME_IS_TOO_LONG("aBusyAnswerHasTheRemainingTimeOfTheLease"),
    REMAINING_TIME_IS_CONSTANT("theRemainingTimeOfABusyAnswerDecreases"),
    IGNORES_THE_NAMESPACE("namespacesAreIsolated"),
    JOINS_NAMESPACE_AND_KEY_WITH_A_DOT("namespaceAndKeyDoNotRunTogether"),
    IGNORES_CASE("keysThatDifferOnlyInCaseAccentOrTrailingSpaceAreDifferentLocks"),
    IGNORES_TRAILING_SPACE("keysThatDifferOnlyInCaseAccentOrTrailingSpaceAreDifferentLocks"),
    COMPARES_THE_FIRST_HALF_OF_A_TOKEN("aTokenIsComparedAsAWhole"),
    COMPARES_THE_LAST_HALF_OF_A_TOKEN("aTokenIsComparedAsAWhole"),
    GRANTS_AN_EXPIRED_LOCK_TO_TWO("anExpiredLockIsGrantedToExactlyOneOfMany"),
    COUNTS_MILLISECONDS_IN_AN_INT("aLeaseOfManyDaysIsGrantedRenewedAndRetained"),
    REPEATED_LEASE_NEVER_EXPIRES("renewedAndRepeatedLeasesExpire"),
    REPEATS_FOR_WHOLE_SECONDS("grantedRenewedRepeatedAndRetainedLeasesLastForTheirMilliseconds"),
    FAILS_FOR_AN_INTERRUPTED_CALLER("aCallerMayBeInterrupted"),
    REFUSES_CALLS_WHERE_IT_ANSWERS("theNextCommandMayBeSentWhereAnAnswerArrives"),
    CUTS_LONG_KEYS("longKeysThatDifferAtTheEndAreDifferentLocks"),

    RENEWAL_CREATES("aRenewalOfALeaseThatNeverWasCreatesNothing"),
    RENEWAL_STEALS("aRenewalWithAnotherTokenIsRefusedAndChangesNothing"),
    RENEWAL_REVIVES("anExpiredLeaseIsNotRenewed"),
    RENEWAL_SHORTENS("anOvertakenRenewalDoesNotTakeBackALongerOne"),
    RENEWED_LEASE_NEVER_EXPIRES("renewedAndRepeatedLeasesExpire"),
    RENEWS_FOR_WHOLE_SECONDS("grantedRenewedRepeatedAndRetainedLeasesLastForTheirMilliseconds"),
    RENEWAL_DOES_NOTHING("aRenewalProlongs"),
    RENEWAL_MIXES_UP_ITS_ANSWERS("aBatchIsAnsweredOneByOneInItsOrder"),
    RENEWAL_TAKES_THE_FIRST_TTL_FOR_ALL("theLeasesOfABatchHaveTtlsOfTheirOwn"),
    RENEWAL_IS_NOT_ATOMIC("lateCommandsOfAHolderDoNotChangeTheLeaseOfTheNextOne"),
    RENEWAL_DROPS_WHAT_IS_TOO_MUCH("aBatchMayBeLarge"),

    RELEASE_IGNORES_THE_TOKEN("aLateReleaseDoesNotEndTheNextHoldersLease"),
    RELEASE_IS_NOT_ATOMIC("lateCommandsOfAHolderDoNotChangeTheLeaseOfTheNextOne"),
    RETAINS_FOR_WHOLE_SECONDS("grantedRenewedRepeatedAndRetainedLeasesLastForTheirMilliseconds"),
    RETAINED_LEASE_IS_RELEASED_BY_ANYONE("aRetainedLeaseIsNotReleasedWithAnotherToken"),
    RELEASE_IS_ALWAYS_CONFIRMED(
            "theSecondReleaseFindsNothing", "theAnswerToAFurtherReleaseOfARetainedLeaseTellsWhetherTheLockIsFree"),
    RELEASE_OF_AN_EXPIRED_LEASE_IS_CONFIRMED("anExpiredLeaseIsNotReleased"),
    RELEASE_RETAINS_NOTHING("aRetainedLeaseStaysBusy"),
    RELEASE_RETAINS_THE_REMAINING_TIME("aLeaseMayBeRetainedForLessThanItsRemainingTime"),
    REPEATED_RELEASE_PROLONGS(
            "aRepeatedReleaseDoesNotProlongARetainedLease",
            "aReleaseThatArrivesAfterItsRepetitionDoesNotProlongARetainedLease",
            "aRetainedLeaseWhoseReleaseIsRepeatedExpires"),
    RETAINED_LEASE_STAYS_RENEWABLE("aRetainedLeaseIsNotRenewed"),
    RETAINED_LEASE_IS_GRANTED_AGAIN("aRetainedLeaseIsNotGrantedToItsOwnerAgain"),
    RETAINED_LEASE_IS_GRANTED_TO_A_WAITER("aRetainedLeaseIsBusyForAWaiter"),

    FENCES_START_AGAIN("fencesRiseAcrossAWipeAfterManyGrants"),
    FENCES_START_AGAIN_AT_A_COARSE_CLOCK("fencesRiseAcrossAWipeAfterManyBlocks"),
    FENCES_IGNORE_THE_BLOCK("aBlockIsReservedAsAWhole"),
    FENCES_FALL_BACK_AFTER_EXPIRY("blocksOfExpiredLeasesAreNotGivenAgain"),

    NO_WAKEUPS("aBusyAnswerHasAWakeupIfTheStoreNotifiesWaiters"),
    WAKEUPS_NEVER_COMPLETE("aReleaseNotifiesAWaiter"),
    WAKEUPS_COMPLETE_IMMEDIATELY("aWaiterIsNotNotifiedWhileTheLockIsHeld"),
    A_RELEASE_WAKES_ALL("aReleaseNotifiesOneOfSeveralWaiters"),
    A_RELEASE_WAKES_OTHER_KEYS("aReleaseDoesNotNotifyWaitersOfOtherKeys"),
    CANCELLED_WAITERS_STAY_QUEUED("aWaiterThatGivesUpDoesNotDelayOthers"),
    WAITERS_GET_A_SHORT_LEASE("aWaiterIsGrantedALeaseForItsTtl"),
    WAITERS_GET_ONE_FENCING_TOKEN("aWaiterIsGrantedItsWholeBlock"),
    WAITERS_GET_THE_FENCING_TOKEN_OF_THEIR_PLACE("fencesRiseInTheOrderInWhichWaitersAreGranted"),
    WAKEUPS_BRING_A_GRANT_WITHOUT_A_LEASE("aWakeupBringsNoGrantWithoutALease"),

    REPORTS_THE_FIRST_FENCING_TOKEN("theReportedFencingTokenIsTheLastOfItsBlock"),

    REPORTS_THE_READER_AS_HOLDER("eachLockHasItsOwnHolder"),
    REPORTS_THE_TIME_OF_THE_GRANT_IN_SECONDS("anotherProcessReadsTheHolder"),
    REPORTS_THE_TIME_OF_THE_LAST_RENEWAL("aRenewalDoesNotChangeTheTimeOfTheGrant"),
    REPORTS_THE_REMAINING_TIME_IN_SECONDS("anotherProcessReadsTheHolder"),
    REPORTS_NO_THREAD("anotherProcessReadsTheThreadOfTheHolder"),

    LISTS_NO_REVOKED_LEASES("aRevokedLeaseIsListed"),
    LIMITS_A_LISTING_BEFORE_IT_LEAVES_OUT_EXPIRED_LEASES("freeLocksDoNotCountForTheLimit"),
    LISTS_WITHOUT_LIMIT("aListingIsBoundedAndSaysSo"),
    LISTS_OTHER_NAMESPACES("aListingHasTheLocksOfItsNamespaceOnly"),
    LISTS_EXPIRED_LEASES("aRetainedLeaseIsListedAsReleasedAndAnExpiredOneIsNot"),

    REVOCATION_IS_UNSUPPORTED("revocationsHitOnlyTheHolderThatTheyName"),
    REVOCATION_REMOVES_THE_LEASE("aRevokedLeaseIsNotRenewedAndKeepsItsTime"),
    REVOCATION_LEAVES_THE_LEASE_RENEWABLE("aRevokedLeaseIsNotRenewedAndKeepsItsTime"),
    REVOCATION_IGNORES_THE_FENCING_TOKEN("anotherHolderIsNotRevoked"),
    REVOCATION_EXPECTS_THE_FIRST_FENCING_TOKEN("aRevokedLeaseIsNotRenewedAndKeepsItsTime"),
    REVOCATION_IGNORES_THE_KEY("theHolderOfAnotherLockIsNotRevoked"),
    REVOCATION_OF_AN_EXPIRED_LEASE_IS_CONFIRMED("anExpiredLeaseIsNotRevoked"),
    REVOKED_LEASE_CANNOT_BE_RELEASED("theOwnerMayStillReleaseARevokedLease"),
    REVOKED_LEASE_IS_RELEASED_BY_ANYONE("aRevokedLeaseIsNotReleasedWithAnotherToken"),
    REVOKED_LEASE_IS_RENEWABLE_ONCE_IT_IS_RETAINED("aRevokedLeaseThatIsRetainedIsNotRenewed"),
    RELEASE_OF_A_REVOKED_LEASE_WAKES_NOBODY("theReleaseOfARevokedLeaseNotifiesAWaiter"),
    REMOVAL_OF_A_RETAINED_LEASE_WAKES_NOBODY("theRemovalOfARetainedLeaseNotifiesAWaiter"),
    REVOKED_LEASE_IS_GRANTED_AGAIN("aRevokedLeaseIsNotGrantedToItsOwnerAgain"),
    REVOKED_LEASE_IS_GRANTED_TO_A_WAITER("aRevokedLeaseIsBusyForAWaiter"),

    CONNECTS_ONLY_ONCE("connectingAgainIsHarmless"),
    CONNECTS_WITH_ONE_FUTURE("connectingAgainAfterACancelledAttemptConnects"),
    CONNECTS_FOR_THE_FIRST_OPERATION_ONLY("theFirstOperationsMayBeConcurrent"),
    ANSWERS_QUESTIONS_AFTER_CLOSE("aClosedBackendAnswersEveryOperationWithAFailedStage"),
    CLOCK_IS_IN_SECONDS("aClockIsInMilliseconds"),
    ANSWERS_AFTER_CLOSE("aClosedBackendAnswersEveryOperationWithAFailedStage"),
    CLOSE_RELEASES("leasesOutliveTheirBackend"),
    THROWS_INSTEAD_OF_FAILING("aClosedBackendAnswersEveryOperationWithAFailedStage");

    private final List<String> detectedBy;

    Mistake(String... detectedBy) {
        this.detectedBy = List.of(detectedBy);
    }

    List<String> detectedBy() {
        return detectedBy;
    }
}
