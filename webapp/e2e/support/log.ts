import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A line of the server's log. */
export interface LogEntry {
  level: string;
  msg: string;
  [attribute: string]: unknown;
}

/** The server's JSON log. */
export class Log {
  readonly entries: LogEntry[] = [];
  /** Called after each new entry. */
  readonly #waiters = new Set<() => void>();

  follow(stderr: Readable): void {
    createInterface({ input: stderr }).on('line', (line) => {
      this.entries.push(parse(line));
      for (const notify of this.#waiters) notify();
    });
  }

  /** Waits for the first entry with this message at or after the index `start`. */
  async waitFor(msg: string, start: number): Promise<LogEntry> {
    return new Promise((resolve) => {
      const resolveIfLogged = () => {
        const entry = this.entries.slice(start).find((candidate) => candidate.msg === msg);
        if (!entry) return;
        this.#waiters.delete(resolveIfLogged);
        resolve(entry);
      };
      this.#waiters.add(resolveIfLogged);
      resolveIfLogged();
    });
  }
}

/** Parses a line. Output that is not JSON, such as a panic, becomes an error entry. */
function parse(line: string): LogEntry {
  try {
    return JSON.parse(line);
  } catch {
    return { level: 'ERROR', msg: line };
  }
}
