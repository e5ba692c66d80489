type Listener = (event: unknown) => void;

/** Who listens to an element's events. Taking off what was never put on does nothing. */
export class Emitter {
  readonly #listeners = new Map<string, Set<Listener>>();

  on(event: string, listener: Listener): void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
  }

  off(event: string, listener?: Listener): void {
    if (listener) this.#listeners.get(event)?.delete(listener);
    else this.#listeners.delete(event);
  }

  emit(event: string, payload: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(payload);
  }

  clear(): void {
    this.#listeners.clear();
  }
}
