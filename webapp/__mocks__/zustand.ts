import { beforeEach, vi } from 'vitest';
import type * as zustand from 'zustand';
import type { StateCreator, StoreApi } from 'zustand';

export * from 'zustand';

const { create: actualCreate } = await vi.importActual<typeof zustand>('zustand');
const resets = new Set<() => void>();

function createResettable<T>(creator: StateCreator<T>) {
  const store = actualCreate(creator);
  resets.add(() => store.setState((store as StoreApi<T>).getInitialState(), true));
  return store;
}

/** Creates stores as zustand does. They return to their initial state before each test. */
export const create = ((creator?: StateCreator<unknown>) =>
  creator ? createResettable(creator) : createResettable) as typeof zustand.create;

beforeEach(() => {
  for (const reset of resets) reset();
});
