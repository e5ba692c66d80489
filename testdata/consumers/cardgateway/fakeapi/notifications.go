package fakeapi

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// notification is an item of a delivery.
type notification struct {
	PSPReference        string            `json:"pspReference"`
	OriginalReference   string            `json:"originalReference,omitempty"`
	MerchantAccountCode string            `json:"merchantAccountCode"`
	MerchantReference   string            `json:"merchantReference"`
	Amount              amount            `json:"amount"`
	EventCode           string            `json:"eventCode"`
	EventDate           time.Time         `json:"eventDate"`
	Success             string            `json:"success"`
	AdditionalData      map[string]string `json:"additionalData,omitempty"`
}

// delivery is the body of a request to the webhook.
type delivery struct {
	Live  string         `json:"live"`
	Items []deliveryItem `json:"notificationItems"`
}

type deliveryItem struct {
	Notification notification `json:"NotificationRequestItem"`
}

// notify records a notification about a payment, or about its modification m if that is not nil.
func (s *Server) notify(p *payment, m *modification, event string, success bool) {
	n := notification{
		PSPReference: p.PSPReference, MerchantAccountCode: s.config.MerchantAccount, MerchantReference: p.MerchantReference,
		Amount: p.Amount, EventCode: event, EventDate: s.config.Clock.Now(), Success: strconv.FormatBool(success),
	}
	if m != nil {
		n.PSPReference, n.OriginalReference, n.MerchantReference, n.Amount = m.PSPReference, p.PSPReference, m.MerchantReference, m.Amount
	}
	s.notifications = append(s.notifications, n)
}

// Deliver sends the notifications that the webhook has not accepted yet in one delivery. If the webhook refuses it, the next
// call sends them again.
func (s *Server) Deliver(ctx context.Context, client *http.Client, webhookURL string) error {
	s.lockAndAdvance()
	notifications := slices.Clone(s.notifications[s.deliveredCount:])
	s.mu.Unlock()
	if len(notifications) == 0 {
		return nil
	}
	content := delivery{Live: "false"}
	for _, n := range notifications {
		content.Items = append(content.Items, deliveryItem{n})
	}
	body, err := json.Marshal(content)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, webhookURL, bytes.NewReader(Sign(body, s.config.HMACKey)))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	response, err := client.Do(req)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the webhook refused the notifications: %s", response.Status)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deliveredCount += len(notifications)
	return nil
}

// Sign signs each notification in the body of a delivery. It returns any other body unchanged.
func Sign(body, hmacKey []byte) []byte {
	return setSignatures(body, func(n notification) map[string]string {
		digest := hmac.New(sha256.New, hmacKey)
		digest.Write([]byte(strings.Join([]string{
			n.PSPReference, n.OriginalReference, n.MerchantAccountCode, n.MerchantReference,
			strconv.FormatInt(n.Amount.Value, 10), n.Amount.Currency, n.EventCode, n.Success,
		}, ":")))
		return map[string]string{"hmacSignature": base64.StdEncoding.EncodeToString(digest.Sum(nil))}
	})
}

// Unsign removes the signatures from the body of a delivery.
func Unsign(body []byte) []byte {
	return setSignatures(body, func(notification) map[string]string { return nil })
}

func setSignatures(body []byte, additionalData func(notification) map[string]string) []byte {
	var d delivery
	if err := json.Unmarshal(body, &d); err != nil || len(d.Items) == 0 {
		return body
	}
	for i := range d.Items {
		d.Items[i].Notification.AdditionalData = additionalData(d.Items[i].Notification)
	}
	signedBody, err := json.Marshal(d)
	if err != nil {
		panic(err) // the body was JSON
	}
	return signedBody
}
