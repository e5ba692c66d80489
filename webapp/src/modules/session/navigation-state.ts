import type { PriceRef } from '@/rules/types';
import type { User } from './session-store';

/** The navigation state of the confirmation screen. Without `from` a new subscription starts. */
export interface ConfirmState {
  user: User;
  from?: PriceRef;
  to: PriceRef;
  mode: 'update';
}

/** The navigation state of the screen after a registration. Sign-in forms read its email. */
export interface RegisteredState {
  email: string;
  name: string;
  /** When the email was sent, in milliseconds. */
  sentAt?: number;
  /** The chosen plan. Its parts are empty if the registration had none. */
  choice?: { product: string; interval: string; currency: string };
  /** The submitted form without its passwords, and the query of its URL, so that the registration can be corrected. */
  form?: { draft: object; search: string };
}

/** Returns the valid parts of the navigation state. It has none if the screen was opened by its URL. */
export function registeredState(state: unknown): Partial<RegisteredState> {
  if (typeof state !== 'object' || state === null) return {};
  const { email, name, sentAt, choice } = state as Record<string, unknown>;
  return {
    ...(typeof email === 'string' && { email }),
    ...(typeof name === 'string' && { name }),
    ...(typeof sentAt === 'number' && { sentAt }),
    ...(isChoice(choice) && { choice }),
  };
}

function isChoice(value: unknown): value is NonNullable<RegisteredState['choice']> {
  const { product, interval, currency } = Object(value);
  return [product, interval, currency].every((part) => typeof part === 'string');
}
