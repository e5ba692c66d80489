package storage

import "time"

// BacklogLimit is where the counting of a queue stops.
const BacklogLimit = 1000

// Backlog is what waits in the database, for whoever watches over it.
type Backlog struct {
	Emails     Queue // in the outbox, those that are being delivered included
	Operations Queue // begun and not settled, those under way included
}

// Queue is how much of something waits, and how long it has.
type Queue struct {
	Count  int       // BacklogLimit means that many or more
	Oldest time.Time // of whatever waits longest; zero when nothing waits
}
