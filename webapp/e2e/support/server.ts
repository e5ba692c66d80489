import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Log, type LogEntry } from './log';

const binaryFolder = fileURLToPath(new URL('../../../bin/', import.meta.url));

/**
 * A process of the real binary with its own port and database. The settings or DIY_PAYMENTS name its payment provider; the
 * default is the fake provider.
 */
export class Server {
  readonly log = new Log();
  /** The folder of the server's data. */
  readonly folder: string;
  readonly #settings: Record<string, string>;
  readonly #binary: string;
  #addr = '127.0.0.1:0';
  #process?: ChildProcess;

  private constructor(folder: string, settings: Record<string, string>, binary: string) {
    this.folder = folder;
    this.#settings = settings;
    this.#binary = join(binaryFolder, binary);
  }

  static async start(settings: Record<string, string> = {}, binary = 'diy'): Promise<Server> {
    const server = new Server(await mkdtemp(join(tmpdir(), 'diy-e2e-')), settings, binary);
    await server.#launch();
    return server;
  }

  /** The public URL of the server. Its host is a name, because browsers refuse passkeys under an IP address. */
  get url(): string {
    return `http://${this.#addr.replace('127.0.0.1', 'localhost')}`;
  }

  /** Kills the server and starts it again with the same data and address. */
  async restart(): Promise<void> {
    await this.#terminate('SIGKILL');
    await this.#launch();
  }

  async stop(): Promise<void> {
    await this.#terminate('SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Runs a command of the binary on the server's data, as an operator does. */
  async runCommand(...args: string[]): Promise<void> {
    const child = spawn(this.#binary, args, {
      cwd: this.folder,
      env: this.#env,
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`diy ${args.join(' ')} ended with ${code}`);
  }

  /** Returns the errors in the log at or after the index `start`. */
  errorsSince(start: number): LogEntry[] {
    return this.log.entries.slice(start).filter(({ level }) => level === 'ERROR');
  }

  get #env(): Record<string, string> {
    return {
      DIY_ADDR: this.#addr,
      DIY_DATABASE_URL: `sqlite:${join(this.folder, 'diy.db')}`,
      DIY_PAYMENTS: process.env.DIY_PAYMENTS ?? 'fake',
      DIY_RATE_LIMITS: 'off', // all users of the tests have the same IP address
      ...this.#settings,
    };
  }

  /** Starts the process and waits until it listens. */
  async #launch(): Promise<void> {
    const logStart = this.log.entries.length;
    this.#process = spawn(this.#binary, ['serve'], {
      cwd: this.folder,
      env: this.#env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (this.#process.stderr) this.log.follow(this.#process.stderr);
    const startFailure = once(this.#process, 'exit').then(() => {
      throw new Error(`the server ended: ${JSON.stringify(this.log.entries.slice(logStart))}`);
    });
    startFailure.catch(() => undefined); // rejects when a test stops the server
    const { addr } = await Promise.race([this.log.waitFor('listening', logStart), startFailure]);
    this.#addr = String(addr);
  }

  /** Sends the signal and waits until the process has ended. */
  async #terminate(signal: NodeJS.Signals): Promise<void> {
    if (!this.#process || this.#process.exitCode !== null) return;
    const exit = once(this.#process, 'exit');
    this.#process.kill(signal);
    await exit;
  }
}

/** Returns an address of the loopback interface at which no server listens. */
export async function freeAddress(): Promise<string> {
  const probe = createServer();
  await once(probe.listen(0, '127.0.0.1'), 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return `127.0.0.1:${port}`;
}
