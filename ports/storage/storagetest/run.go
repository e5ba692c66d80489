package storagetest

import "testing"

// promise is one thing that every store keeps.
type promise struct {
	name string
	keep func(t *testing.T, h Harness)
}

// Run checks all promises, each on a store of its own.
func Run(t *testing.T, h Harness) {
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) { p.keep(t, h) })
	}
}

var promises = []promise{
	{"a sign-up keeps every field", signupKeepsEveryField},
	{"a sign-up keeps every script", signupKeepsEveryScript},
	{"a sign-up keeps what was left out", signupKeepsNothing},
	{"a taken name is a duplicate", signupRefusesTakenNames},
	{"a failed sign-up leaves nothing", signupLeavesNothing},
	{"of racing sign-ups one wins", signupRace},

	{"a deleted registration leaves nothing", registrationDeleted},
	{"a confirmed registration is not deleted", registrationKept},
	{"expired registrations are swept", registrationsSwept},
	{"expired registrations give way to a sign-up", expiredGivesWay},
	{"of sign-ups that race for an expired registration one wins", expiredRace},
	{"a deletion and a verification exclude each other", deletionRace},

	{"an unknown organisation is not found", organisationNotFound},
	{"an organisation is found by its customer", organisationByCustomer},
	{"an update keeps every field", updateKeepsEveryField},
	{"an update returns what it stored", updateReturnsWhatItStored},
	{"an update keeps the history of subscriptions", updateKeepsHistory},
	{"an update may take subscriptions away", updateRemovesSubscriptions},
	{"an update keeps no client secret", updateKeepsNoSecret},
	{"an update leaves identity alone", updateKeepsIdentity},
	{"a refused update changes nothing", updateRollsBack},
	{"a panic in an update changes nothing", updateSurvivesPanic},
	{"racing updates lose nothing", updateRace},
	{"a customer has one organisation", customerIsUnique},
	{"an organisation has one live subscription", oneLiveSubscription},
	{"one subscription may follow another at once", liveSubscriptionFollows},
	{"a subscription has one organisation", subscriptionIsUnique},
	{"an update may not take another's name", updateRefusesTakenName},

	{"a check is due from its instant on", checkIsDue},
	{"a claimed check is put off", checkIsPutOff},
	{"checks come earliest first", checksInOrder},
	{"no check is claimed twice", checkRace},

	{"an unknown user is not found", userNotFound},
	{"a user is found by e-mail", userByEmail},
	{"a user's update keeps what may change", userUpdate},
	{"a user's refused update changes nothing", userUpdateRollsBack},
	{"racing updates of a user lose nothing", userUpdateRace},

	{"a verification comes with its email", verificationAdded},
	{"a verification needs its user and its own token", verificationRefused},
	{"expired verifications are swept", verificationsSwept},

	{"a password reset comes with its email", passwordResetAdded},
	{"a password reset is used once, with all others of the user", passwordResetUsed},
	{"a refused password reset changes nothing", passwordResetRefused},
	{"of racing password resets one wins", passwordResetRace},
	{"expired password resets are swept", passwordResetsSwept},
	{"password resets go with a registration", deletedWithResets},

	{"email requests are claimed in order", emailRequestQueue},
	{"no email request is claimed twice", emailRequestRace},

	{"an operation keeps every field", operationKeepsEveryField},
	{"a kind has one pending operation", oneOperationOfAKindIsPending},
	{"of racing operations one is stored", operationRace},
	{"an operation's key is used once", operationKeyIsUsedOnce},
	{"settling keeps the first outcome", settlingKeepsFirst},
	{"an operation begins only as planned", outdatedPlanDoesNotBegin},
	{"what an operation made is known by its name", operationMade},
	{"ages are counted by the database's clock", operationAge},
	{"the database's clock is not the caller's", databaseClock},
	{"pending operations come oldest first", pendingOperations},

	{"payment attempts are listed by invoice and card", paymentAttemptsAreListed},
	{"a refused payment attempt is not stored", paymentAttemptIsRefused},
	{"a repeated payment attempt is counted once", paymentAttemptIsCountedOnce},
	{"a hard decline is recorded", hardDeclineIsRecorded},
	{"old payment attempts are swept", paymentAttemptsAreSwept},
	{"racing payment attempts keep the limit", paymentAttemptRace},

	{"new cards are noted", newCardsAreNoted},
	{"a new card is forgotten", newCardIsForgotten},
	{"new cards are claimed when they are due", newCardsAreClaimed},

	{"an email is due from its instant on", emailIsDue},
	{"a claimed email is hidden", emailIsHidden},
	{"emails come oldest first", emailsInOrder},
	{"a postponed email waits", emailIsPostponed},
	{"a finished email is gone", emailIsFinished},
	{"no email is claimed twice", claimRace},

	{"an event is remembered", eventIsRemembered},

	{"a call without time changes nothing", cancelledCallsChangeNothing},
	{"an update that runs out of time changes nothing", cancelledUpdateChangesNothing},
	{"a closed store is unavailable", closedStoreIsUnavailable},
	{"everything is kept", everythingIsKept},
}
