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

	{"a verification comes with its letter", verificationAdded},
	{"a verification needs its user and its own token", verificationRefused},
	{"expired verifications are swept", verificationsSwept},

	{"an operation keeps every field", operationKeepsEveryField},
	{"a lane has one pending operation", laneHasOnePending},
	{"of racing operations one is stored", operationRace},
	{"an operation's key is used once", operationKeyIsUsedOnce},
	{"settling keeps the first outcome", settlingKeepsFirst},
	{"the last operation is the newest that made something", lastOperation},
	{"pending operations come oldest first", pendingOperations},

	{"a letter is due from its instant on", letterIsDue},
	{"a claimed letter is hidden", letterIsHidden},
	{"letters come oldest first", lettersInOrder},
	{"a postponed letter waits", letterIsPostponed},
	{"a finished letter is gone", letterIsFinished},
	{"no letter is claimed twice", claimRace},

	{"an event is remembered", eventIsRemembered},

	{"a call without time changes nothing", cancelledCallsChangeNothing},
	{"an update that runs out of time changes nothing", cancelledUpdateChangesNothing},
	{"a closed store is unavailable", closedStoreIsUnavailable},
	{"everything is kept", everythingIsKept},
}
