import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** One line of the server's log. */
export interface LogEntry {
  level: string;
  msg: string;
  [attribute: string]: unknown;
}

/** Follows the server's JSON log. */
export class Log {
  readonly entries: LogEntry[] = [];
  readonly #waiting = new Set<() => void>();

  follow(stderr: Readable): void {
    createInterface({ input: stderr }).on('line', (line) => {
      this.entries.push(parse(line));
      for (const check of this.#waiting) check();
    });
  }

  /** Waits for the first entry with this message at or after an index. */
  async next(msg: string, from: number): Promise<LogEntry> {
    return new Promise((resolve) => {
      const check = () => {
        const found = this.entries.slice(from).find((entry) => entry.msg === msg);
        if (!found) return;
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
    });
  }
}

/** Parses a line. Other output, such as a panic or a configuration error, is an error entry. */
function parse(line: string): LogEntry {
  try {
    return JSON.parse(line);
  } catch {
    return { level: 'ERROR', msg: line };
  }
}
