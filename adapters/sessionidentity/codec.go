package sessionidentity

import (
	"maps"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"
)

// maxSessions limits the cache of a cachedCodec. A session has less than a kilobyte.
const maxSessions = 4096

// cachedCodec caches decoded sessions. The data of a session never changes, every request of its browser needs it,
// and decoding gob takes longer than reading the session from the database.
type cachedCodec struct {
	scs.Codec

	mu       sync.Mutex
	sessions map[string]decodedSession // by their encoded data
}

type decodedSession struct {
	deadline time.Time
	values   map[string]any
}

func newCachedCodec(c scs.Codec) *cachedCodec {
	return &cachedCodec{Codec: c, sessions: map[string]decodedSession{}}
}

// Decode implements scs.Codec. The caller may change the values.
func (c *cachedCodec) Decode(data []byte) (time.Time, map[string]any, error) {
	c.mu.Lock()
	cached, ok := c.sessions[string(data)]
	c.mu.Unlock()
	if ok {
		return cached.deadline, maps.Clone(cached.values), nil
	}
	deadline, values, err := c.Codec.Decode(data)
	if err != nil {
		return time.Time{}, nil, err
	}
	c.add(string(data), decodedSession{deadline, maps.Clone(values)})
	return deadline, values, nil
}

// add caches the session. If the cache is full, it replaces an arbitrary one.
func (c *cachedCodec) add(data string, session decodedSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.sessions) >= maxSessions {
		for other := range c.sessions {
			delete(c.sessions, other)
			break
		}
	}
	c.sessions[data] = session
}
