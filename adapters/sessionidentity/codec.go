package sessionidentity

import (
	"maps"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"
)

// maxCachedSessions limits the cache of a cachingCodec. An entry takes less than 1 kB, so the cache takes at most 4 MB.
const maxCachedSessions = 4096

// cachingCodec caches decoded sessions. The data of a session never changes, but every request of the browser needs the
// data, and decoding gob takes longer than reading the session from the database.
type cachingCodec struct {
	scs.Codec

	mu       sync.Mutex
	sessions map[string]decodedSession // by their encoded data
}

type decodedSession struct {
	deadline time.Time
	values   map[string]any
}

func newCachingCodec(c scs.Codec) *cachingCodec {
	return &cachingCodec{Codec: c, sessions: map[string]decodedSession{}}
}

// Decode implements scs.Codec. The caller may change the values.
func (c *cachingCodec) Decode(data []byte) (time.Time, map[string]any, error) {
	c.mu.Lock()
	session, ok := c.sessions[string(data)]
	c.mu.Unlock()
	if ok {
		return session.deadline, maps.Clone(session.values), nil
	}
	deadline, values, err := c.Codec.Decode(data)
	if err != nil {
		return time.Time{}, nil, err
	}
	c.add(string(data), decodedSession{deadline, maps.Clone(values)})
	return deadline, values, nil
}

// add caches the session. If the cache is full, it first removes an arbitrary session.
func (c *cachingCodec) add(data string, session decodedSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.sessions) >= maxCachedSessions {
		for cachedData := range c.sessions {
			delete(c.sessions, cachedData)
			break
		}
	}
	c.sessions[data] = session
}
