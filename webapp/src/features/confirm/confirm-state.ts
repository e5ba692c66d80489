import type { ConfirmState } from '@/app/navigation-state';
import { isInterval, type PriceRef } from '@/rules/types';

/**
 * What the plans page handed over, or null when the navigation state is not that. It lives in the
 * browser's history: it survives a reload, and a newer version of the app may find an old one.
 */
export function confirmStateOf(state: unknown): ConfirmState | null {
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
