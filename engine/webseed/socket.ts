// A web seed (BEP 17, BEP 19) as a peer: the other end of this socket is a small seed in this process, which speaks the peer
// protocol to us and HTTP to the server. Picker, hashing, limits and bans thus need to know nothing of web seeds.
//
// Nothing is delivered from within a call of ours, as with any socket. Invariant: a request is in the queue, in the run
// being served, or answered by exactly one piece or reject (BEP 6).
import type { TorrentInfo } from '../metainfo/index.js';
import type { TargetAccess } from '../net/judge-target.js';
import type { Clock, Log, PeerAddress, PeerSocket, PeerSocketHandler } from '../environment.js';
import { BLOCK_SIZE_BYTES } from '../environment.js';
import { HANDSHAKE_BYTES, MAX_QUEUED_REQUESTS, MESSAGE, PROTOCOL_HEADER } from '../wire/constants.js';
import type { CloseReason } from '../wire/errors.js';
import { FrameSplitter, type FrameSink } from '../wire/frame-splitter.js';
import { encodeRejects } from '../wire/request-frames.js';
import { RequestQueue } from '../wire/request-queue.js';
import { BlockRun } from './block-run.js';
import { MAX_RANGE_BLOCKS } from './constants.js';
import { webSeedAddress, webSeedPeerId } from './identity.js';
import { RunServer } from './run-server.js';
import { seedPartsOf, type SeedForm } from './seed-parts.js';
import type { RangeClient, WebSeedHttp } from './types.js';

export interface WebSeedDeps {
  readonly clock: Clock;
  readonly http: WebSeedHttp;
  readonly log?: Log;
}

export interface WebSeedOptions {
  /** http or https; one that the roster gave. */
  readonly url: string;
  readonly form: SeedForm;
  readonly info: TorrentInfo;
  readonly userAgent: string;
  readonly access: TargetAccess;
}

/** The server is first asked when blocks are: what is wrong with it is told by `onClose`. */
export function openWebSeed(deps: WebSeedDeps, options: WebSeedOptions): PeerSocket {
  return new WebSeedSocket(deps, options);
}

/** Where the handshake holds the info hash (BEP 3), and the fast extension's bit (BEP 6). */
const INFO_HASH_AT = 28;
const FAST_BYTE = 27;
const FAST_BIT = 0x04;
const HAVE_ALL = Uint8Array.of(0, 0, 0, 1, MESSAGE.haveAll);
const UNCHOKE = Uint8Array.of(0, 0, 0, 1, MESSAGE.unchoke);
const KEEP_ALIVE = new Uint8Array(4);

class WebSeedSocket implements PeerSocket, FrameSink {
  readonly remote: PeerAddress;
  readonly local: PeerAddress = { host: '100::', port: 0 };
  readonly bufferedBytes = 0;
  readonly #splitter = new FrameSplitter(this);
  readonly #queue = new RequestQueue();
  readonly #client: RangeClient;
  readonly #server: RunServer;
  #handler: PeerSocketHandler | null = null;
  #isServing = false;
  #closed = false;
  #paused = false;
  #onResume: (() => void) | null = null;
  /** Frames other than blocks, on their way to the handler. */
  #replies: Uint8Array[] = [];
  #replyScheduled = false;

  constructor(
    private readonly deps: WebSeedDeps,
    private readonly options: WebSeedOptions,
  ) {
    const { url, form, info, userAgent, access } = options;
    this.remote = webSeedAddress(url);
    this.#client = deps.http.newClient(userAgent, access);
    this.#server = new RunServer({
      clock: deps.clock,
      client: this.#client,
      partsOf: (start, end) => seedPartsOf(form, url, info, start, end),
      deliver: (frame) => this.#deliver(frame),
    });
  }

  setHandler(handler: PeerSocketHandler): void {
    this.#handler = handler;
    this.deps.clock.after(0, () => {
      if (!this.#closed) handler.onConnect();
    });
  }

  write(bytes: Uint8Array, done?: () => void): void {
    this.#splitter.push(bytes);
    if (done) queueMicrotask(done);
  }

  pauseReading(): void {
    this.#paused = true;
  }

  resumeReading(): void {
    this.#paused = false;
    this.#onResume?.();
    this.#onResume = null;
    this.#scheduleReplies();
  }

  destroy(): void {
    this.#close('');
  }

  onHandshake(bytes: Uint8Array): void {
    const { info, url } = this.options;
    const wanted = Buffer.from(info.infoHash, 'hex');
    if (!wanted.equals(bytes.subarray(INFO_HASH_AT, INFO_HASH_AT + wanted.length))) {
      return this.#close('bug: handshake for another torrent');
    }
    const handshake = new Uint8Array(HANDSHAKE_BYTES);
    handshake.set(PROTOCOL_HEADER);
    handshake[FAST_BYTE] = FAST_BIT;
    handshake.set(wanted, INFO_HASH_AT);
    handshake.set(Buffer.from(webSeedPeerId(url), 'hex'), INFO_HASH_AT + wanted.length);
    this.#reply(handshake, HAVE_ALL, UNCHOKE);
  }

  onControl(_frame: Uint8Array, id: number): void {
    // What a peer says of itself is nothing to a seed; but a connection without requests must not look dead.
    if (id === -1) this.#reply(KEEP_ALIVE);
  }

  onRequest(piece: number, begin: number, length: number): void {
    if (!this.#isBlock(piece, begin, length) || this.#queue.size >= MAX_QUEUED_REQUESTS) {
      return this.#reply(encodeRejects([{ piece, begin, length }]));
    }
    if (this.#queue.has(piece, begin) || this.#server.awaits(piece, begin)) return;
    this.#queue.push(piece, begin, length);
    this.#startServing();
  }

  onCancel(piece: number, begin: number, length: number): void {
    if (!this.#queue.cancel(piece, begin) && !this.#server.cancel(piece, begin)) return;
    this.#reply(encodeRejects([{ piece, begin, length }]));
  }

  onReject(): void {
    // A seed asks for nothing.
  }

  onBlockStart(): null {
    return null;
  }

  onBlockEnd(): void {
    // Thrown away: see onBlockStart.
  }

  onViolation(reason: CloseReason): void {
    this.#close(`bug: ${reason}`);
  }

  #isBlock(piece: number, begin: number, length: number): boolean {
    const { pieceCount, pieceLength, totalBytes } = this.options.info;
    if (piece >= pieceCount || begin % BLOCK_SIZE_BYTES !== 0) return false;
    const pieceEnd = Math.min(pieceLength, totalBytes - piece * pieceLength);
    return length > 0 && length <= BLOCK_SIZE_BYTES && begin + length <= pieceEnd;
  }

  #startServing(): void {
    if (this.#isServing) return;
    this.#isServing = true;
    // Later than this write, whose requests belong together.
    queueMicrotask(() => {
      this.#serve().then(
        (problem) => this.#close(problem),
        (thrown: unknown) => {
          this.deps.log?.error('bug: web seed', { problem: String(thrown) });
          this.#close(`bug: ${String(thrown)}`);
        },
      );
    });
  }

  /** Resolves with the reason to close; null: there is nothing more to do for now. */
  async #serve(): Promise<string | null> {
    const { pieceLength } = this.options.info;
    while (!this.#closed && this.#queue.size > 0) {
      const blocks = this.#queue.peekRun(pieceLength, MAX_RANGE_BLOCKS);
      this.#queue.take(blocks);
      const problem = await this.#server.serve(new BlockRun(blocks, pieceLength));
      if (problem !== null) return problem;
    }
    this.#isServing = false;
    return null;
  }

  #deliver(frame: Uint8Array): Promise<void> | undefined {
    if (this.#paused) return this.#deliverLater(frame);
    if (!this.#closed) this.#handler?.onData(frame);
    return undefined;
  }

  async #deliverLater(frame: Uint8Array): Promise<void> {
    while (this.#paused && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#onResume = resolve;
      });
    }
    if (!this.#closed) this.#handler?.onData(frame);
  }

  #reply(...frames: readonly Uint8Array[]): void {
    if (this.#closed) return;
    this.#replies.push(...frames);
    this.#scheduleReplies();
  }

  #scheduleReplies(): void {
    if (this.#replyScheduled || this.#replies.length === 0) return;
    this.#replyScheduled = true;
    queueMicrotask(() => {
      this.#replyScheduled = false;
      if (this.#paused || this.#closed) return;
      const bytes = Buffer.concat(this.#replies);
      this.#replies = [];
      this.#handler?.onData(bytes);
    });
  }

  #close(reason: string | null): void {
    if (reason === null || this.#closed) return;
    this.#closed = true;
    this.#splitter.close();
    this.#server.stop();
    this.#client.close();
    this.#queue.clear();
    this.#replies = [];
    this.#onResume?.();
    if (reason !== '') this.deps.log?.debug('web seed closed', { host: new URL(this.options.url).host, reason });
    this.deps.clock.after(0, () => this.#handler?.onClose(reason));
  }
}
