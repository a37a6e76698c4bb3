// A socket in front of a PostgreSQL's, by which connections are lost at a moment that a test chooses: before a commit has come
// to the server, after the server has answered it, or in silence, so that neither side is told.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { temporaryDirectory } from './temporary-directory.js';

const SOCKET = '.s.PGSQL.5432';
/** The message as pg sends it: BEGIN names a level that begins with the same letters. */
const COMMIT = 'COMMIT\0';

/**
 * `before`: the server never hears of the commit; `after`: it has answered; `late`: it hears of it only when another connection
 * asks for the lock of a row.
 */
interface Loss {
  readonly when: 'before' | 'after' | 'late';
  readonly meanwhile: () => Promise<void>;
}

export class PostgresRelay {
  /** The connections that have said LISTEN, in the order in which they came. */
  readonly listening = new Set<Socket>();
  readonly #sockets = new Set<Socket>();
  readonly #others = new Map<Socket, Socket>();
  #loss: Loss | null = null;
  #late: (() => void) | null = null;
  #isOpen = true;

  private constructor(
    readonly directory: string,
    private readonly target: string,
    private readonly server: Server,
  ) {}

  static async start(targetDirectory: string): Promise<PostgresRelay> {
    const directory = await temporaryDirectory();
    const relay = new PostgresRelay(directory, join(targetDirectory, SOCKET), createServer());
    relay.server.on('connection', (near) => relay.#join(near));
    relay.server.listen(join(directory, SOCKET));
    await once(relay.server, 'listening');
    t.teardown(() => relay.#close());
    return relay;
  }

  /** Loses the next connection that commits. `meanwhile` is what happens before the client is told. */
  loseAtCommit(when: Loss['when'], meanwhile: Loss['meanwhile'] = async () => undefined): void {
    this.#loss = { when, meanwhile };
  }

  /** From here on nothing comes and nothing goes on a connection, and nobody is told. */
  silence(near: Socket): void {
    near.removeAllListeners('data').pause();
    this.#others.get(near)?.unpipe(near);
  }

  /** Nobody gets through, and whoever is through loses the connection. */
  shut(): void {
    this.#isOpen = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  reopen(): void {
    this.#isOpen = true;
  }

  #join(near: Socket): void {
    if (!this.#isOpen) return void near.destroy();
    const far = connect(this.target);
    const end = (): void => {
      for (const socket of [near, far]) this.#sockets.delete(socket.destroy());
    };
    for (const socket of [near, far]) this.#sockets.add(socket.on('error', end).on('close', end));
    this.#others.set(near, far);
    far.pipe(near);
    near.on('data', (bytes) => {
      if (bytes.includes('LISTEN')) this.listening.add(near);
      const loss = bytes.includes(COMMIT) ? this.#loss : null;
      if (!loss) {
        far.write(bytes);
        if (bytes.includes('FOR UPDATE')) this.#comeLate();
        return;
      }
      this.#loss = null;
      far.unpipe(near);
      if (loss.when === 'before') return void loss.meanwhile().then(end);
      if (loss.when === 'late') {
        near.off('close', end).destroy();
        this.#late = () => void far.resume().write(bytes);
        return;
      }
      far.once('data', () => void loss.meanwhile().then(end));
      far.resume().write(bytes);
    });
  }

  #comeLate(): void {
    this.#late?.();
    this.#late = null;
  }

  #close(): void {
    this.shut();
    this.server.close();
  }
}
