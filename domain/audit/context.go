package audit

import "context"

type actorKey struct{}

type causeKey struct{}

// WithActor returns a context whose changes are made by the actor.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// WithDefaultActor returns a context with the actor, unless ctx has an actor already.
func WithDefaultActor(ctx context.Context, a Actor) context.Context {
	if ActorFromContext(ctx) != (Actor{}) {
		return ctx
	}
	return WithActor(ctx, a)
}

// WithCause returns a context whose changes are caused by the operation with the key, or by the event with the id.
func WithCause(ctx context.Context, cause string) context.Context {
	return context.WithValue(ctx, causeKey{}, cause)
}

// ActorFromContext returns the actor of the context, or the zero Actor.
func ActorFromContext(ctx context.Context) Actor {
	actor, _ := ctx.Value(actorKey{}).(Actor)
	return actor
}

// CauseFromContext returns the cause of the context, or "".
func CauseFromContext(ctx context.Context) string {
	cause, _ := ctx.Value(causeKey{}).(string)
	return cause
}
