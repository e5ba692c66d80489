package flakypayment

// Plan returns the fault for a call, nil for none. It must be safe for concurrent use.
type Plan func(Call) Fault

// NoFaults is the plan without faults. A Provider with it only records its calls.
func NoFaults(Call) Fault { return nil }

// Sequence returns a plan that applies the faults to the first calls, one each. A nil fault, and every
// call after the last fault, passes through.
func Sequence(faults ...Fault) Plan {
	return func(c Call) Fault {
		if c.Index < len(faults) {
			return faults[c.Index]
		}
		return nil
	}
}
