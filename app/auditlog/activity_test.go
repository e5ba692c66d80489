package auditlog_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/auditlog"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
)

// activities returns all activities that the user sees, newest first.
func activities(t *testing.T, env *apptest.Env, user *apptest.User) (all []auditlog.Activity) {
	t.Helper()
	for before := int64(0); ; before = all[len(all)-1].ID {
		page, hasMore, err := env.App.ShowActivity.Do(t.Context(), user.Identity, before)
		require.NoError(t, err)
		all = append(all, page...)
		if !hasMore {
			return all
		}
		require.Len(t, page, 20)
	}
}

func TestShowActivity_NamesMembersAndCallsOperatorsSupport(t *testing.T) {
	env := apptest.New(t)
	ann := env.SignUp("ann")
	ben := env.Member(ann, "ben", account.BillingMember)
	ctx := audit.WithActor(t.Context(), ben.Actor())
	_, err := env.App.Subscribe.Do(ctx, ben.Identity, app.SubscribeRequest{
		MethodID: env.CreateCard(apptest.Visa), NoTrial: true, Price: apptest.StandardMonthly,
	})
	require.NoError(t, err)
	entry := audit.Entry{OrganisationID: ann.OrganisationID, Kind: audit.OperatorLiftedHold, Note: "a reason"}
	ended := audit.Entry{OrganisationID: ann.OrganisationID, Kind: audit.DeveloperLicenseEnded}
	require.NoError(t, env.Store.AddAuditEntries(audit.WithActor(t.Context(), audit.Operator("olga")), entry, ended))

	all := activities(t, env, ann)

	who := map[audit.Kind][2]string{}
	for _, a := range all {
		who[a.Kind] = [2]string{string(a.Actor), a.Name}
	}
	assert.Equal(t, [2]string{"support", ""}, who[audit.OperatorLiftedHold])
	assert.Equal(t, [2]string{"support", ""}, who[audit.DeveloperLicenseEnded])
	assert.Equal(t, "member", who[audit.MemberJoined][0])
	benName := who[audit.MemberJoined][1]
	assert.NotEmpty(t, benName)
	assert.Equal(t, [2]string{"member", benName}, who[audit.PlanStarted], "the provider reports what Ben has requested")
	assert.Equal(t, "member", who[audit.MemberInvited][0])
	assert.NotContains(t, who, audit.SignIn)
	assert.NotContains(t, who, audit.OperationBegun)
}

func TestShowActivity_DistinguishesALeaverFromARemovedMember(t *testing.T) {
	env := apptest.New(t)
	ann := env.SignUp("ann")
	ben := env.Member(ann, "ben", account.ReadingMember)
	for _, e := range []audit.Entry{
		{Actor: ben.Actor(), Subject: ben.UserID}, // and joined again
		{Actor: audit.User("former"), Subject: "former"},
		{Actor: audit.User("former"), Subject: ben.UserID},
		{Actor: ben.Actor(), Subject: "former"},
		{Actor: audit.Operator("olga"), Subject: "former"},
	} {
		e.Kind, e.OrganisationID = audit.MemberRemoved, ann.OrganisationID
		require.NoError(t, env.Store.AddAuditEntries(t.Context(), e))
	}

	var kinds []audit.Kind
	for _, a := range activities(t, env, ann)[:5] {
		kinds = append(kinds, a.Kind)
	}
	assert.Equal(t, []audit.Kind{
		audit.MemberRemoved, audit.MemberRemoved, audit.MemberRemoved, auditlog.MemberLeft, auditlog.MemberLeft,
	}, kinds)
}

func TestShowActivity_ReportsThatAMemberLeft(t *testing.T) {
	env := apptest.New(t)
	ann := env.SignUp("ann")
	ben := env.Member(ann, "ben", account.ReadingMember)
	_, err := env.App.LeaveOrganisation.Do(audit.WithActor(t.Context(), ben.Actor()), ben.Identity)
	require.NoError(t, err)

	newest := activities(t, env, ann)[0]
	assert.Equal(t, auditlog.MemberLeft, newest.Kind)
	assert.Equal(t, auditlog.MemberActivity, newest.Actor)
	assert.Empty(t, newest.Name)
}

func TestShowActivity_NamesTheRequesterOfAChangeThatAnEventReportedFirst(t *testing.T) {
	env := apptest.New(t)
	ann := env.SignUp("ann")
	ctx := audit.WithActor(t.Context(), ann.Actor())
	for _, e := range []audit.Entry{
		{Kind: audit.OperationBegun, Cause: "op_1"},
		{Kind: audit.PlanStarted, Subject: "sub_1", Cause: "evt_1", Actor: audit.Provider},
		{Kind: audit.OperationSettled, Cause: "op_1", Data: audit.Data{"result": "sub_1"}},
		{Kind: audit.OperationBegun, Cause: "op_2", Actor: audit.Operator("olga")},
		{Kind: audit.PlanResumed, Subject: "sub_1", Cause: "evt_2", Actor: audit.Provider},
		{Kind: audit.OperationSettled, Cause: "op_2", Data: audit.Data{"result": "sub_1"}},
		{Kind: audit.PlanChanged, Subject: "sub_1", Cause: "evt_3", Actor: audit.Provider},
		{Kind: audit.OperationBegun, Cause: "op_3"},
		{Kind: audit.PlanEnding, Subject: "sub_2", Cause: "evt_4", Actor: audit.Provider},
		{Kind: audit.PlanChanged, Subject: "sub_1", Cause: "evt_5", Actor: audit.Provider},
		{Kind: audit.OperationSettled, Cause: "op_3", Data: audit.Data{"result": "sub_1"}},
	} {
		e.OrganisationID = ann.OrganisationID
		require.NoError(t, env.Store.AddAuditEntries(ctx, e))
	}
	var actors []auditlog.ActivityActor
	for _, a := range activities(t, env, ann)[:5] {
		actors = append(actors, a.Actor)
	}
	assert.Equal(t, []auditlog.ActivityActor{
		auditlog.MemberActivity, auditlog.ProviderActivity, // the change, and the end of another subscription
		auditlog.ProviderActivity,                         // the change between two requests
		auditlog.SupportActivity, auditlog.MemberActivity, // the resumption and the start
	}, actors)
}

func TestShowActivity_ReturnsPagesAndIsForBillingRoles(t *testing.T) {
	env := apptest.New(t)
	ann := env.SignUp("ann")
	ctx := audit.WithActor(t.Context(), audit.User("former"))
	for range 45 {
		entry := audit.Entry{OrganisationID: ann.OrganisationID, Kind: audit.OrganisationRenamed}
		require.NoError(t, env.Store.AddAuditEntries(ctx, entry))
		entry.Kind, entry.Subject = audit.PasswordChanged, "former"
		require.NoError(t, env.Store.AddAuditEntries(ctx, entry))
	}

	all := activities(t, env, ann)

	var renamed int
	for i, a := range all {
		if i > 0 {
			assert.Less(t, a.ID, all[i-1].ID)
		}
		if a.Kind == audit.OrganisationRenamed {
			renamed++
			assert.Equal(t, auditlog.MemberActivity, a.Actor)
			assert.Empty(t, a.Name, "a former member")
		}
	}
	assert.Equal(t, 45, renamed)
	_, _, err := env.App.ShowActivity.Do(t.Context(), env.Member(ann, "cat", account.ReadingMember).Identity, 0)
	assert.True(t, fault.Is(err, fault.Forbidden), err)
}
