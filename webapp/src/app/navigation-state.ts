import type { User } from '@/features/session/session-store';
import type { PriceRef } from '@/rules/types';

/** What the plans page hands to the confirmation screen. Without `from` a past license is renewed. */
export interface ConfirmState {
  user: User;
  from?: PriceRef;
  to: PriceRef;
  mode: 'update';
}
