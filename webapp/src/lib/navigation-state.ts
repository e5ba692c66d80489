import type { PriceRef } from '@/rules/types';
import type { User } from './session-store';

/**
 * The state that the plans page passes to the confirmation screen. Without `from` a past license is renewed.
 */
export interface ConfirmState {
  user: User;
  from?: PriceRef;
  to: PriceRef;
  mode: 'update';
}

/** Navigation state of the screen after a registration: the address the e-mail was sent to. */
export interface RegisteredState {
  email: string;
  name: string;
}

/** Returns the navigation state; null when the screen was opened by its address. */
export function registeredState(state: unknown): Partial<RegisteredState> {
  if (typeof state !== 'object' || state === null) return {};
  const { email, name } = state as Record<string, unknown>;
  return {
    ...(typeof email === 'string' && { email }),
    ...(typeof name === 'string' && { name }),
  };
}
