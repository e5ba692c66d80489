package sessionidentity

import (
	"maps"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"
)

// maxDecoded is the number of sessions that a cachedCodec keeps, each less than a kilobyte.
const maxDecoded = 4096

// cachedCodec keeps what it has decoded. The data of a session never changes, every request of its browser needs it,
// and decoding gob takes longer than reading the session from the database.
type cachedCodec struct {
	scs.Codec

	mu      sync.Mutex
	decoded map[string]decodedSession // by encoded data
}

type decodedSession struct {
	deadline time.Time
	values   map[string]any
}

func newCachedCodec(c scs.Codec) *cachedCodec {
	return &cachedCodec{Codec: c, decoded: map[string]decodedSession{}}
}

// Decode implements scs.Codec. The caller may change the values.
func (c *cachedCodec) Decode(data []byte) (time.Time, map[string]any, error) {
	c.mu.Lock()
	cached, ok := c.decoded[string(data)]
	c.mu.Unlock()
	if ok {
		return cached.deadline, maps.Clone(cached.values), nil
	}
	deadline, values, err := c.Codec.Decode(data)
	if err != nil {
		return time.Time{}, nil, err
	}
	c.keep(string(data), decodedSession{deadline, maps.Clone(values)})
	return deadline, values, nil
}

// keep replaces any other session when there are too many.
func (c *cachedCodec) keep(data string, session decodedSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.decoded) >= maxDecoded {
		for other := range c.decoded {
			delete(c.decoded, other)
			break
		}
	}
	c.decoded[data] = session
}
