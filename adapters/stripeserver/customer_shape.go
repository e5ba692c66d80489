package stripeserver

import (
	"maps"

	"github.com/vc-admin/diy/adapters/fakepayment"
)

// customer is a customer; of a deleted one only that it was deleted.
func (v view) customer(id string) object {
	c, found := v.Customer(id)
	switch {
	case found:
		return v.customerOf(c)
	case v.deleted(id):
		return object{"id": id, "object": "customer", "deleted": true}
	}
	return nil
}

func (v view) customerOf(c fakepayment.CustomerRecord) object {
	out := object{
		"id": c.ID, "object": "customer", "livemode": false, "balance": -c.Credit, "currency": orNull(small(c.Currency)),
		"default_source": nil, "delinquent": false, "metadata": v.notes.metadataOf(c.ID), "tax_exempt": "none",
		"invoice_settings": object{"custom_fields": nil, "default_payment_method": orNull(c.Default), "footer": nil},
		"name":             nil, "email": nil, "phone": nil, "address": nil, "description": nil, "shipping": nil,
	}
	maps.Copy(out, v.notes.customers[c.ID])
	return out
}

// subscriptionsOf is what a customer has that has not ended.
func (v view) subscriptionsOf(id string) any {
	c, _ := v.Customer(id)
	return listed("/v1/customers/"+id+"/subscriptions", v.some(c.Subscriptions, func(s fakepayment.SubscriptionRecord) bool {
		return s.Status != "canceled" && s.Status != "incomplete_expired"
	}))
}
