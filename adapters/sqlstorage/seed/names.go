package seed

import "strconv"

// Organisations are counted from 1. All names have the same length, so that they sort as they count.

// Organisation is the id of an organisation.
func Organisation(i int) string { return "org_" + number(i) }

// User is the id of its one user.
func User(i int) string { return "usr_" + number(i) }

// Email is the user's address.
func Email(i int) string { return "user" + number(i) + "@practice.example" }

// Name is the organisation's name.
func Name(i int) string { return "Practice " + number(i) }

// Customer is the id of the provider's customer.
func Customer(i int) string { return "cus_" + number(i) }

// firstNumber is the number before the first one.
const firstNumber = 10_000_000

func number(i int) string { return strconv.Itoa(firstNumber + i) }
