package billing

// withoutSecrets is a copy that can be stored. It shares nothing with the original, whose secrets
// stay where they are: the answer to the browser still needs them.
func withoutSecrets(s Subscription) Subscription {
	s.PendingSetup = s.PendingSetup.withoutSecret()
	s.Next = s.Next.withoutSecrets()
	if s.Pending != nil {
		pending := *s.Pending
		s.Pending = &pending
	}
	if s.LatestInvoice != nil {
		invoice := *s.LatestInvoice
		invoice.Payment = invoice.Payment.withoutSecret()
		s.LatestInvoice = &invoice
	}
	return s
}

func (i *Intent) withoutSecret() *Intent {
	if i == nil {
		return nil
	}
	public := *i
	public.ClientSecret, public.HardDecline = "", false
	return &public
}
