package io.leasehold.contract.broken;

/** Mistakes of real locks, and the test of the contract that detects each of them. */
enum Mistake {
    GRANTS_A_HELD_LOCK("aHeldLockIsBusyForAnotherProcess"),
    GRANTS_TWO_OF_MANY("exactlyOneOfManyIsGrantedTheLock"),
    GRANTS_TO_THE_PROCESS_OF_THE_HOLDER("aHeldLockIsBusyForTheInstanceThatHoldsIt"),
    IS_BUSY_FOR_ITS_OWN_TOKEN("aRepeatedAcquisitionHasTheSameFence"),
    MINTS_A_SECOND_FENCE_FOR_A_TOKEN("aRepeatedAcquisitionHasTheSameFence"),
    DOES_NOT_RENEW_WHEN_REPEATED("aRepeatedAcquisitionRenewsTheLease"),
    GRANTS_WHOLE_SECONDS("aLeaseAndItsRenewalLastForTheirMilliseconds"),
    REFUSAL_PROLONGS_THE_LEASE("aLeaseExpiresWhileOthersAreRefused"),
    REMAINING_TIME_IS_TOO_LONG("aBusyAnswerHasTheRemainingTimeOfTheLease"),
    REMAINING_TIME_IS_CONSTANT("theRemainingTimeOfABusyAnswerDecreases"),
    IGNORES_THE_NAMESPACE("namespacesAreIsolated"),
    IGNORES_CASE("keysThatDifferOnlyInCaseAccentOrTrailingSpaceAreDifferentLocks"),
    IGNORES_TRAILING_SPACE("keysThatDifferOnlyInCaseAccentOrTrailingSpaceAreDifferentLocks"),
    CUTS_LONG_KEYS("longKeysThatDifferAtTheEndAreDifferentLocks"),

    RENEWAL_CREATES("aRenewalOfALeaseThatNeverWasCreatesNothing"),
    RENEWAL_STEALS("aRenewalWithAnotherTokenIsRefusedAndChangesNothing"),
    RENEWAL_REVIVES("anExpiredLeaseIsNotRenewed"),
    RENEWAL_SHORTENS("anOvertakenRenewalDoesNotTakeBackALongerOne"),
    RENEWS_FOR_WHOLE_SECONDS("aLeaseAndItsRenewalLastForTheirMilliseconds"),
    RENEWAL_DOES_NOTHING("aRenewalProlongs"),
    RENEWAL_MIXES_UP_ITS_ANSWERS("aBatchIsAnsweredOneByOneInItsOrder"),
    RENEWAL_TAKES_THE_FIRST_TTL_FOR_ALL("theLeasesOfABatchHaveTtlsOfTheirOwn"),
    RENEWAL_DROPS_WHAT_IS_TOO_MUCH("aBatchMayBeLarge"),

    RELEASE_IGNORES_THE_TOKEN("aLateReleaseDoesNotEndTheNextHoldersLease"),
    RELEASE_IS_ALWAYS_CONFIRMED("theSecondReleaseFindsNothing"),
    RELEASE_OF_AN_EXPIRED_LEASE_IS_CONFIRMED("anExpiredLeaseIsNotReleased"),
    RELEASE_RETAINS_NOTHING("aRetainedLeaseStaysBusy"),
    RELEASE_RETAINS_THE_REMAINING_TIME("aLeaseMayBeRetainedForLessThanItsRemainingTime"),
    RETAINED_LEASE_STAYS_RENEWABLE("aRetainedLeaseIsNotRenewed"),
    RETAINED_LEASE_IS_GRANTED_AGAIN("aRetainedLeaseIsNotGrantedToItsOwnerAgain"),
    RETAINED_LEASE_IS_GRANTED_TO_A_WAITER("aRetainedLeaseIsBusyForAWaiter"),

    FENCES_START_AGAIN("fencesRiseAcrossAWipeAfterManyGrants"),
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

    LISTS_WITHOUT_LIMIT("aListingIsBoundedAndSaysSo"),
    LISTS_OTHER_NAMESPACES("aListingHasTheLocksOfItsNamespaceOnly"),
    LISTS_EXPIRED_LEASES("aRetainedLeaseIsListedAsReleasedAndAnExpiredOneIsNot"),

    REVOCATION_REMOVES_THE_LEASE("aRevokedLeaseIsNotRenewedAndKeepsItsTime"),
    REVOCATION_LEAVES_THE_LEASE_RENEWABLE("aRevokedLeaseIsNotRenewedAndKeepsItsTime"),
    REVOCATION_IGNORES_THE_FENCING_TOKEN("anotherHolderIsNotRevoked"),
    REVOCATION_IGNORES_THE_KEY("theHolderOfAnotherLockIsNotRevoked"),
    REVOCATION_OF_AN_EXPIRED_LEASE_IS_CONFIRMED("anExpiredLeaseIsNotRevoked"),
    REVOKED_LEASE_CANNOT_BE_RELEASED("theOwnerMayStillReleaseARevokedLease"),
    REVOKED_LEASE_IS_GRANTED_AGAIN("aRevokedLeaseIsNotGrantedToItsOwnerAgain"),
    REVOKED_LEASE_IS_GRANTED_TO_A_WAITER("aRevokedLeaseIsBusyForAWaiter"),

    CONNECTS_ONLY_ONCE("connectingAgainIsHarmless"),
    CLOCK_IS_IN_SECONDS("aClockIsInMilliseconds"),
    ANSWERS_AFTER_CLOSE("aClosedBackendAnswersEveryOperationWithAFailedStage"),
    CLOSE_RELEASES("leasesOutliveTheirBackend"),
    THROWS_INSTEAD_OF_FAILING("aClosedBackendAnswersEveryOperationWithAFailedStage");

    private final String detectedBy;

    Mistake(String detectedBy) {
        this.detectedBy = detectedBy;
    }

    String detectedBy() {
        return detectedBy;
    }
}
