import { useEffect } from 'react';
import { create } from 'zustand';
import { listCommonPasswords } from '@/api';
import { can, useCan } from '@/modules/config/capabilities';
import { useConfigStore } from '@/modules/config/config-store';
import { easyToGuessMessage, type PasswordContext } from '@/rules/password-guess';

interface CommonPasswordsState {
  /** The most common passwords; null until they are loaded. */
  passwords: ReadonlySet<string> | null;
  isLoading: boolean;
  /**
   * Loads the passwords unless they are loaded or loading. A failure is ignored, because the server checks passwords too.
   */
  load: () => Promise<void>;
}

const useCommonPasswords = create<CommonPasswordsState>()((set, get) => ({
  passwords: null,
  isLoading: false,
  load: async () => {
    if (get().passwords || get().isLoading) return;
    set({ isLoading: true });
    const passwords = await listCommonPasswords().then(
      (list) => new Set(list.passwords),
      () => null,
    );
    set({ passwords, isLoading: false });
  },
}));

const tooCommonMessage = 'This password is too common and easily guessed';

type UserContext = Omit<PasswordContext, 'product'>;

/**
 * Returns why a password that follows the policy is easy to guess, or "". Always "" for a server without the capability
 * `password_rules`, which accepts such passwords. Ignores the most common passwords until they are loaded.
 */
export function weakPasswordMessage(password: string, context: UserContext): string {
  const { state } = useConfigStore.getState();
  if (state.status !== 'ready' || !can(state.config, 'password_rules')) return '';
  const { passwords } = useCommonPasswords.getState();
  if (passwords?.has(password.normalize('NFKC').toLowerCase())) return tooCommonMessage;
  return easyToGuessMessage(password, { ...context, product: state.config.branding.name });
}

/**
 * Loads the most common passwords when the user begins to type, and returns `weakPasswordMessage` for the text in the field
 * of a new password.
 */
export function useWeakPasswordMessage(password: string, context: UserContext): string {
  const { load } = useCommonPasswords();
  const isUsed = useCan('password_rules') && password !== '';
  useEffect(() => {
    if (isUsed) void load();
  }, [isUsed, load]);
  return weakPasswordMessage(password, context);
}
