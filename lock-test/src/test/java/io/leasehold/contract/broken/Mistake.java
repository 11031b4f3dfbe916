package io.leasehold.contract.broken;

/** Mistakes of real locks, and the test of the contract that detects each of them. */
enum Mistake {
    GRANTS_TO_EVERYBODY("aHeldLockIsBusyForAnotherProcess"),
    GRANTS_TWO_OF_MANY("exactlyOneOfManyIsGrantedTheLock"),
    IS_BUSY_FOR_ITS_OWN_TOKEN("askingAgainWithTheSameTokenAnswersWithTheSameFence"),
    MINTS_A_SECOND_FENCE_FOR_A_TOKEN("askingAgainWithTheSameTokenAnswersWithTheSameFence"),
    DOES_NOT_RENEW_ON_ASKING_AGAIN("askingAgainWithTheSameTokenRenewsTheLease"),
    BUSY_SAYS_TOO_MUCH("busySaysHowLongTheLeaseRunsAtMost"),
    BUSY_SAYS_ALWAYS_THE_SAME("whatBusySaysShrinks"),
    IGNORES_THE_NAMESPACE("namespacesAreIsolated"),
    IGNORES_CASE("keysThatDifferOnlyInCaseAccentOrTrailingSpaceAreDifferentLocks"),
    IGNORES_TRAILING_SPACE("keysThatDifferOnlyInCaseAccentOrTrailingSpaceAreDifferentLocks"),
    CUTS_LONG_KEYS("longKeysThatDifferAtTheEndAreDifferentLocks"),

    RENEWAL_CREATES("aRenewalOfALeaseThatNeverWasCreatesNothing"),
    RENEWAL_STEALS("aRenewalWithAnotherTokenIsRefusedAndChangesNothing"),
    RENEWAL_REVIVES("anExpiredLeaseIsNotRenewed"),
    RENEWAL_SHORTENS("anOvertakenRenewalDoesNotTakeBackALongerOne"),
    RENEWAL_DOES_NOTHING("aRenewalProlongs"),
    RENEWAL_MIXES_UP_ITS_ANSWERS("aBatchIsAnsweredOneByOneInItsOrder"),
    RENEWAL_TAKES_THE_FIRST_TTL_FOR_ALL("theLeasesOfABatchHaveTtlsOfTheirOwn"),
    RENEWAL_DROPS_WHAT_IS_TOO_MUCH("aBatchMayBeLarge"),

    RELEASE_IGNORES_THE_TOKEN("aLateReleaseDoesNotEndTheNextHoldersLease"),
    RELEASE_IS_ALWAYS_CONFIRMED("theSecondReleaseFindsNothing"),
    RELEASE_OF_AN_EXPIRED_LEASE_IS_CONFIRMED("anExpiredLeaseIsNotReleased"),
    RELEASE_KEEPS_NOTHING("aLeaseThatIsKeptStaysBusy"),
    RELEASE_KEEPS_WHATEVER_IS_LEFT("aLeaseMayBeKeptForLessThanIsLeftOfIt"),
    RELEASE_LEAVES_WHAT_IS_KEPT_TO_ITS_HOLDER("aLeaseThatIsKeptIsNotRenewed"),

    FENCES_BEGIN_ANEW("fencesRiseAcrossAWipeAfterManyGrants"),
    FENCES_IGNORE_THE_BLOCK("aBlockIsReservedAsAWhole"),
    FENCES_FALL_BACK_AFTER_EXPIRY("blocksOfExpiredLeasesAreNotGivenAgain"),

    NO_TURNS("whoWaitsIsGivenATurnIfTheStoreHasSuch"),
    TURNS_NEVER_END("aTurnEndsAfterTheRelease"),
    TURNS_END_AT_ONCE("aTurnDoesNotEndWhileTheLockIsHeld"),
    A_RELEASE_WAKES_ALL("aReleaseEndsOneTurnOfSeveral"),
    A_RELEASE_WAKES_OTHER_KEYS("turnsOfOtherKeysDoNotEnd"),
    CANCELLED_TURNS_STAY_IN_LINE("whoGivesUpDisturbsNobody"),

    ANSWERS_AFTER_CLOSE("aClosedBackendAnswersEveryOperationWithAFailedStage"),
    CLOSE_RELEASES("leasesOutliveTheirBackend"),
    THROWS_INSTEAD_OF_FAILING("aClosedBackendAnswersEveryOperationWithAFailedStage");

    private final String noticedBy;

    Mistake(String noticedBy) {
        this.noticedBy = noticedBy;
    }

    String noticedBy() {
        return noticedBy;
    }
}
