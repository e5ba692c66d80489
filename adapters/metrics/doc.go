// Package metrics counts what the server does, for Prometheus. It stands around the ports, as
// decorators, and beside the adapters, as an observer: nobody who is counted knows of it. No label
// holds anything about a person, and every label has few values.
package metrics
