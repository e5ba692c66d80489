/** What the registration form tells the screen after it: whom an e-mail was sent to. */
export interface RegisteredState {
  email: string;
  name: string;
}

/** The navigation state as far as it is one: somebody may have come by the address alone. */
export function registeredState(state: unknown): Partial<RegisteredState> {
  if (typeof state !== 'object' || state === null) return {};
  const { email, name } = state as Record<string, unknown>;
  return {
    ...(typeof email === 'string' && { email }),
    ...(typeof name === 'string' && { name }),
  };
}
