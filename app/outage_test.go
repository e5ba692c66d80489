package app_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

func TestUseCases_ReturnUnavailableWhenTheDatabaseIsDown(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, false)
	require.NoError(t, f.Store.Close())
	ctx := t.Context()

	for name, call := range map[string]func() error{
		"SignUp":              func() error { _, err := f.SignUp.Do(ctx, apptest.Registration("ben"), nil); return err },
		"VerifyEmail":         func() error { _, _, err := f.VerifyEmail.Do(ctx, "token", nil); return err },
		"ShowRegistration":    func() error { _, err := f.ShowRegistration.Do(ctx, "token"); return err },
		"ConfirmRegistration": func() error { return f.ConfirmRegistration.Do(ctx, "token", "Tide-And-Time-7", "", isKnownBrowser) },
		"RejectRegistration":  func() error { return f.RejectRegistration.Do(ctx, "token") },
		"ResendVerification":  func() error { return f.ResendVerification.Do(ctx, "ann@example.com", nil) },
		"ForgotPassword":      func() error { return f.ForgotPassword.Do(ctx, "ann@example.com", nil) },
		"ResetPassword":       func() error { _, err := f.ResetPassword.Do(ctx, "token", "Secret456", "Secret456"); return err },
		"SendRequestedEmails": func() error { _, err := f.SendRequestedEmails.Do(ctx); return err },
		"DeliverMail":         func() error { _, err := f.DeliverMail.Do(ctx); return err },
		"SignIn": func() error {
			return f.SignIn.Do(ctx, accounts.Login{Email: "ann@example.com", Password: "Tide-And-Time-7"}, isKnownBrowser)
		},
		"DescribeUser":      func() error { _, _, err := f.DescribeUser.Do(ctx, caller); return err },
		"ShowOrganisation":  func() error { _, err := f.ShowOrganisation.Do(ctx, caller, caller.OrganisationID); return err },
		"ListSubscriptions": func() error { _, err := f.ListSubscriptions.Do(ctx, caller, ""); return err },
		"CreateCustomer":    func() error { _, err := f.CreateCustomer.Do(ctx, caller); return err },
		"ShowCustomer":      func() error { _, err := f.ShowCustomer.Do(ctx, caller); return err },
		"ListCards":         func() error { _, err := f.ListCards.Do(ctx, caller); return err },
		"AddCard":           func() error { _, err := f.AddCard.Do(ctx, caller, "pm_1"); return err },
		"SetDefaultCard":    func() error { _, err := f.SetDefaultCard.Do(ctx, caller, "pm_1"); return err },
		"DeleteCard":        func() error { return f.DeleteCard.Do(ctx, caller, "pm_1") },
		"Subscribe": func() error {
			_, err := f.Subscribe.Do(ctx, caller, app.SubscribeRequest{Price: standardMonthly})
			return err
		},
		"ChangePlan": func() error {
			_, err := f.ChangePlan.Do(ctx, caller, app.ChangeRequest{PriceChoice: professionalYearly})
			return err
		},
		"PayOpenInvoice":      func() error { _, err := f.PayOpenInvoice.Do(ctx, caller, app.PayRequest{}); return err },
		"CancelPendingChange": func() error { _, err := f.CancelPendingChange.Do(ctx, caller); return err },
		"Reconcile":           func() error { _, err := f.Reconcile.Do(ctx); return err },
		"RefreshBilling":      func() error { _, err := f.RefreshBilling.Do(ctx); return err },
		"Sweep":               func() error { return f.Sweep.Do(ctx) },
		"GrantDevLicense": func() error {
			err := f.GrantDevLicense.Do(asOperator(ctx), newActionRequest(caller, "act_1"), "professional")
			return err
		},
		"ReceiveEvent": func() error {
			payload := []byte(`{"id":"evt_1","object":"event","type":"customer.updated","data":{"object":{"id":"cus_1"}}}`)
			return f.ReceiveEvent.Do(ctx, f.NewDelivery(payload))
		},
	} {
		assert.Equal(t, fault.Unavailable, fault.CodeOf(call()), name)
	}
}

// serverRequest is a function that sends a request to a server.
type serverRequest func(context.Context, *app.UseCases) error

// outageScenarios contains the requests that the tests of app/flows don't interrupt. Each function prepares a request and
// returns it.
var outageScenarios = map[string]func(f *fixture, caller identity.Identity) serverRequest{
	"CreateCustomer": func(f *fixture, caller identity.Identity) serverRequest {
		require.NoError(f.t, f.provider.DeleteCustomer(f.t.Context(), f.account(caller).CustomerID))
		f.DeliverPayloads(f.UseCases, f.TakeEvents()...)
		return func(ctx context.Context, server *app.UseCases) error {
			_, err := server.CreateCustomer.Do(ctx, caller)
			return err
		}
	},
	"AddCard": func(f *fixture, caller identity.Identity) serverRequest {
		cardID := f.CreateCard(visa)
		return func(ctx context.Context, server *app.UseCases) error {
			_, err := server.AddCard.Do(ctx, caller, cardID)
			return err
		}
	},
	"SetDefaultCard": func(f *fixture, caller identity.Identity) serverRequest {
		firstCard := f.addCard(caller, visa)
		f.addCard(caller, mastercard)
		return func(ctx context.Context, server *app.UseCases) error {
			_, err := server.SetDefaultCard.Do(ctx, caller, firstCard.ID)
			return err
		}
	},
	"DeleteCard": func(f *fixture, caller identity.Identity) serverRequest {
		card := f.addCard(caller, visa)
		return func(ctx context.Context, server *app.UseCases) error {
			err := server.DeleteCard.Do(ctx, caller, card.ID)
			if fault.Is(err, fault.NotFound) {
				return nil // a repeat finds the card deleted
			}
			return err
		}
	},
	"CancelPendingChange": func(f *fixture, caller identity.Identity) serverRequest {
		f.createPendingChange(caller)
		return func(ctx context.Context, server *app.UseCases) error {
			_, err := server.CancelPendingChange.Do(ctx, caller)
			return err
		}
	},
	"PayOpenInvoice": func(f *fixture, caller identity.Identity) serverRequest {
		req := f.createPendingChange(caller)
		req.MethodID, req.MakeDefault = f.CreateCard(mastercard), true
		return func(ctx context.Context, server *app.UseCases) error {
			_, err := server.PayOpenInvoice.Do(ctx, caller, req)
			return err
		}
	},
}

func TestUseCases_TimeoutOfAnyProviderCallReturnsUnavailableAndARepeatSucceeds(t *testing.T) {
	for name, prepare := range outageScenarios {
		for _, kind := range []flakypayment.FaultKind{flakypayment.TimeoutBeforeExecution, flakypayment.TimeoutAfterExecution} {
			for failingIndex := int64(0); ; failingIndex++ {
				f := newFixture(t)
				send := prepare(f, f.signUp())
				var callCount atomic.Int64 // atomic, because a refresh sends two calls concurrently
				var failingCall string
				err := send(t.Context(),
					f.NewApp(f.Store, flakypayment.New(f.provider, func(c flakypayment.Call) flakypayment.Fault {
						if callCount.Add(1) == failingIndex+1 {
							failingCall = c.Method
							return kind.Fault()
						}
						return nil
					})))
				if callCount.Load() <= failingIndex {
					require.NoError(t, err)
					break
				}
				scenario := fmt.Sprintf("%s, call %d (%s) %s", name, failingIndex, failingCall, kind)
				want := []fault.Code{fault.Unavailable}
				switch {
				case name == "AddCard" && failingCall == "Cards": // the card is saved; only duplicates are not removed
					want = []fault.Code{""}
				case failingCall == "Customer": // if the change was made, only its email lacks the credit
					want = append(want, "")
				}
				assert.Contains(t, want, fault.CodeOf(err), scenario)
				require.NoError(t, send(t.Context(), f.UseCases), scenario)
				f.RequireNoPendingOperations()
			}
		}
	}
}

// The database fails right after a call to the provider, and another server settles the operation.
func TestUseCases_DatabaseOutageAfterAnyProviderCallIsSettledByReconcile(t *testing.T) {
	for name, prepare := range outageScenarios {
		for failingIndex := int64(0); ; failingIndex++ {
			f := newFixture(t)
			send := prepare(f, f.signUp())
			store := f.OpenStore()
			var callCount atomic.Int64
			err := send(t.Context(), f.NewApp(store, flakypayment.New(f.provider, func(flakypayment.Call) flakypayment.Fault {
				return func(ctx context.Context, r *flakypayment.Request) error {
					r.Execute(ctx)
					if callCount.Add(1) == failingIndex+1 {
						assert.NoError(t, store.Close())
					}
					return nil
				}
			})))
			if callCount.Load() <= failingIndex {
				require.NoError(t, err)
				break
			}
			scenario := fmt.Sprintf("%s, call %d", name, failingIndex)
			if err != nil {
				assert.Contains(t, []fault.Code{fault.Unavailable, fault.Internal}, fault.CodeOf(err), "%s: %v", scenario, err)
			}
			f.Advance(takeoverWait)
			_, err = f.Reconcile.Do(t.Context())
			require.NoError(t, err, scenario)
			f.RequireNoPendingOperations()
			require.NoError(t, send(t.Context(), f.UseCases), scenario)
		}
	}
}
