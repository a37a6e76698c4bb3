// An engine behind a stream, as in a process of its own, but in this one: what hosts it is the real thing, over a real
// socket; the engine itself is whatever the test has. And a front's end of the stream.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectStream, type Credentials } from '../../api/engine-client/stream-connection.js';
import type { EngineAt, StreamAddress } from '../../api/engine-client/stream-address.js';
import { StreamTransport } from '../../api/engine-client/stream-transport.js';
import { newStreamId, type StreamTls } from '../../engine-process/front-listener.js';
import { startHost, type Host } from '../../engine-process/host.js';
import { KeptOptions } from '../../engine-process/kept-options.js';
import type { OwnOptions } from '../../engine-process/own-options.js';
import { Roots } from '../../engine-process/roots.js';
import { systemClock } from '../../shared-protocol/clock.js';
import type { Root } from '../../shared-protocol/stream/messages.js';
import type { EngineTransport } from '../../shared-protocol/transport.js';
import { TokenFile } from '../../storage/stream-tokens.js';
import { TEST_CERTIFICATE, TEST_KEY } from './tls-fixture.js';

export type Link = 'unix' | 'tls';

export interface HostedOptions {
  readonly link?: Link;
  readonly roots?: readonly Root[];
  readonly engineId?: string;
  /** Fronts at a time. @default 1 */
  readonly maxFronts?: number;
  readonly tls?: StreamTls;
  readonly own?: Partial<OwnOptions>;
  /** After the engine has died. @default false */
  readonly beginsAgain?: boolean;
}

const OWN = {
  roots: [],
  sharing: null,
  peerPort: null,
  fetchAllow: null,
  logLevel: 'info',
  userAgent: 'swarmd/9.9.9',
} as const;

/** Logged lines of the host and of fronts. */
export class Lines {
  readonly all: string[] = [];
  readonly #take = (message: string, fields: object = {}): void =>
    void this.all.push(`${message} ${JSON.stringify(fields)}`);
  readonly info = this.#take;
  readonly warn = this.#take;
}

export class Hosted {
  readonly lines = new Lines();
  readonly #engines: EngineTransport[] = [];
  readonly #fronts: StreamTransport[] = [];
  readonly engineId: string;
  #host: Host | null = null;
  readonly #token = randomBytes(24).toString('hex');

  private constructor(
    readonly directory: string,
    private readonly createEngine: () => EngineTransport,
    private readonly options: HostedOptions,
  ) {
    this.engineId = options.engineId ?? newStreamId();
  }

  static async start(createEngine: () => EngineTransport, options: HostedOptions = {}): Promise<Hosted> {
    const directory = await mkdtemp(join(tmpdir(), 'swarmd-hosted-'));
    const hosted = new Hosted(directory, createEngine, options);
    await writeFile(hosted.tokenFile, `${hosted.#token}\n`);
    await hosted.begin();
    return hosted;
  }

  get tokenFile(): string {
    return join(this.directory, 'token');
  }

  get token(): string {
    return this.#token;
  }

  get address(): StreamAddress {
    if (this.options.link !== 'tls') return { kind: 'unix', path: join(this.directory, 'socket') };
    return { kind: 'tls', host: 'localhost', port: this.#host?.port ?? 0 };
  }

  /** As the process begins, or begins again: another run of the same engine. */
  async begin(port = 0): Promise<void> {
    const { link = 'unix', roots = [], tls, own = {} } = this.options;
    const dataDir = join(this.directory, 'data');
    const ours = { cert: Buffer.from(TEST_CERTIFICATE), key: Buffer.from(TEST_KEY), clientAuthority: null };
    this.#host = await startHost({
      createEngine: () => {
        const engine = this.createEngine();
        this.#engines.push(engine);
        return engine;
      },
      engineId: this.engineId,
      clock: systemClock,
      version: '9.9.9',
      own: { ...OWN, dataDir, ...own },
      roots: new Roots({ roots, dataDir }),
      kept: new KeptOptions(
        (name) => join(this.directory, name),
        (reason) => this.lines.warn('not kept', { reason }),
      ),
      onLog: () => undefined,
      onDied: () => void this.#died(),
      at:
        link === 'tls'
          ? { kind: 'tcp', host: '127.0.0.1', port }
          : { kind: 'unix', path: join(this.directory, 'socket') },
      tls: link === 'tls' ? (tls ?? ours) : null,
      maxFronts: this.options.maxFronts ?? 1,
      tokens: new TokenFile(this.tokenFile, Date.now),
      log: this.lines,
    });
  }

  /** As a process that ends: its socket goes with it. As its supervisor does, another run begins where it is wanted. */
  async #died(): Promise<void> {
    const port = this.#host?.port ?? 0;
    await this.end();
    if (this.options.beginsAgain) await this.begin(port);
  }

  /** The process is gone. */
  async end(): Promise<void> {
    this.#host?.cut('the process has ended');
    await Promise.all(this.#engines.splice(0).map((engine) => engine.close(0)));
    await this.#host?.close();
    this.#host = null;
  }

  /** For a daemon's options: how it reaches the engine. */
  async at(): Promise<EngineAt> {
    const authorityFile = join(this.directory, 'authority.pem');
    await writeFile(authorityFile, TEST_CERTIFICATE);
    const isTls = this.options.link === 'tls';
    return {
      address: this.address,
      tokenFile: this.tokenFile,
      authorityFile: isTls ? authorityFile : null,
      certificate: null,
    };
  }

  /** What a test has done to the engine itself is told before anything that it asks next. */
  flush(): void {
    this.#host?.flush();
  }

  /** The stream alone is cut. */
  cut(): void {
    this.#host?.cut('cut');
  }

  front(credentials: Partial<Credentials> = {}, known: string | null = null): StreamTransport {
    const frontId = newStreamId();
    const authority = this.options.link === 'tls' ? Buffer.from(TEST_CERTIFICATE) : null;
    const own: Credentials = { frontId, token: this.#token, authority, certificate: null, ...credentials };
    let engineId = known;
    const front = new StreamTransport({
      name: this.options.link ?? 'unix',
      connect: (handlers) => connectStream(this.address, own, handlers),
      link: {
        frontId: own.frontId,
        get engineId() {
          return engineId;
        },
        otherNameOf: () => null,
        learn: async (id) => void (engineId = id),
      },
      clock: systemClock,
      random: () => 0,
      log: this.lines,
    });
    this.#fronts.push(front);
    return front;
  }

  async close(): Promise<void> {
    for (const front of this.#fronts) await front.close();
    await this.end();
    await rm(this.directory, { recursive: true, force: true });
  }
}
