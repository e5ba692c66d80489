import type { ConfirmState } from '@/modules/session/navigation-state';
import { isInterval, type PriceRef } from '@/rules/types';

/**
 * Returns the chosen change in the navigation state, or null if it is malformed. The browser history keeps the state,
 * so another version of the app may have stored it.
 */
export function parseConfirmState(state: unknown): ConfirmState | null {
  if (!isRecord(state) || state.mode !== 'update') return null;
  if (!isRecord(state.user) || typeof state.user.id !== 'string') return null;
  if (!isPriceRef(state.to)) return null;
  if (state.from != null && !isPriceRef(state.from)) return null;
  return state as unknown as ConfirmState;
}

function isPriceRef(value: unknown): value is PriceRef {
  return (
    isRecord(value) &&
    typeof value.product === 'string' &&
    typeof value.currency === 'string' &&
    typeof value.interval === 'string' &&
    isInterval(value.interval)
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
