// An engine process on a shared root, and a front of it that is the test itself: it says what no front of ours would say.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { connectStream } from '../../api/engine-client/stream-connection.js';
import { StreamTransport } from '../../api/engine-client/stream-transport.js';
import { newStreamId } from '../../engine-process/front-listener.js';
import { systemClock } from '../../shared-protocol/clock.js';
import type { CommandParams } from '../../shared-protocol/commands.js';
import type { EngineStarted } from '../../shared-protocol/commands/engine-options.js';
import { MAIN } from './daemon.js';
import { TEST_ENGINE_OPTIONS } from './engine-options.js';
import { Lines } from './hosted-engine.js';
import { startOwnEngine } from './own-engine.js';
import { waitUntil } from './peers/wait-until.js';

const TIMEOUT_MS = 60_000;
const LEASE_MS = 15_000;

export class EngineByHand {
  /** Numbers of its questions for a lease. */
  readonly asked: number[] = [];
  /** The epoch of the lease that it is given whenever it asks; null: it gets none. */
  epoch: number | null = null;

  private constructor(
    readonly front: StreamTransport,
    /** The engine's log. */
    readonly log: () => string,
    readonly token: string,
  ) {
    front.onEvent((event) => {
      if (event.name !== 'lease.wanted') return;
      this.asked.push(event.payload.asked);
      if (this.epoch !== null) void this.grant().catch(() => undefined);
    });
  }

  /** `base`: the directory of its own; `shared`: the root that others have as well. */
  static async start(t: Test, base: string, shared: string): Promise<EngineByHand> {
    const scratch = join(base, 'scratch');
    await mkdir(scratch, { recursive: true });
    const args = ['--shared-roots', `tank=${shared}`, '--peer-port', '0'];
    const { flags, child } = await startOwnEngine(MAIN, { link: 'unix', dataDir: join(base, 'data'), scratch, args });
    t.teardown(() => child.stop('SIGKILL'));
    const [, at = '', , tokenFile = ''] = flags;
    const token = (await readFile(tokenFile, 'utf8')).trim();
    const credentials = { frontId: newStreamId(), token, authority: null, certificate: null };
    const front = new StreamTransport({
      name: 'by hand',
      connect: (handlers) => connectStream({ kind: 'unix', path: at.slice('unix:'.length) }, credentials, handlers),
      link: { frontId: credentials.frontId, engineId: null, otherNameOf: () => null, learn: () => Promise.resolve() },
      clock: systemClock,
      random: () => 0,
      log: new Lines(),
    });
    t.teardown(() => front.close());
    const made = new EngineByHand(front, () => child.stderr, token);
    await front.reached();
    await made.question(1);
    return made;
  }

  get id(): string {
    return this.front.welcome!.engineId;
  }

  /** Resolves when it has asked for a lease so many times. */
  question(times: number): Promise<true> {
    return waitUntil('it asks for a lease', TIMEOUT_MS, () => this.asked.length >= times || undefined, this.log);
  }

  /** Grants what it asked for last, but for what is said otherwise. */
  grant(change: { readonly [Field in keyof CommandParams<'grantLease'>]?: unknown } = {}): Promise<void> {
    const granted = { asked: this.asked.at(-1)!, epoch: this.epoch ?? 1, ttlMs: LEASE_MS, ...change };
    // What the types forbid is what a stranger sends.
    return this.front.client.grantLease(granted as CommandParams<'grantLease'>);
  }

  /** Begins it with a lease that it keeps. */
  async begin(epoch: number): Promise<EngineStarted> {
    this.epoch = epoch;
    await this.grant();
    return this.front.client.start(TEST_ENGINE_OPTIONS);
  }

  logged(line: RegExp): Promise<string> {
    const found = () =>
      this.log()
        .split('\n')
        .find((each) => line.test(each));
    return waitUntil(`the line ${String(line)}`, TIMEOUT_MS, found, this.log);
  }
}
