// Open descriptors over all torrents, the least recently used idle ones closed first (docs/limits.md 2.31). Invariant:
// a descriptor with users is never closed, and at most `maxOpenFiles` are open, pins aside: they may exceed it,
// because a hashing task that waited for descriptors while holding others could wait for ever. A process that is out of
// descriptors makes files wait, never fail: its peers come and go.
import { close } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../environment.js';
import { MAX_OPEN_RETRY_MS, OPEN_RETRY_MS, OPENS_PER_REGROWTH } from './constants.js';
import { errnoOf } from './errors.js';

/** `write` can read too, and creates what is absent. */
export type OpenMode = 'read' | 'write';
/** A pin holds several descriptors at once and for longer than one call. */
export type Use = 'operation' | 'pin';

/** A file that may be open; its owner keeps it, the pool fills it. */
export class FileSlot {
  current: OpenFile | null = null;
  /** Never rejects. */
  opening: Promise<void> | null = null;
  constructor(readonly open: (mode: OpenMode) => Promise<number>) {}
}

export interface OpenFile {
  readonly fd: number;
  readonly slot: FileSlot;
  readonly writable: boolean;
  users: number;
}

export interface FilePoolDeps {
  readonly log: Log;
  /** Asked before each write; throws where none may be made. @default it may always */
  readonly assertMayWrite?: (() => void) | undefined;
}

export class FilePool {
  readonly #log: Log;
  readonly #assertMayWrite: () => void;
  readonly #maxOpenFiles: number;
  readonly #pauseMs: number;
  #limit: number;
  #calmOpens = 0;
  #isClosed = false;
  /** Open or about to be. */
  #openCount = 0;
  /** Open without users, the longest idle first. */
  readonly #idle = new Set<OpenFile>();
  readonly #waiting: (() => void)[] = [];

  constructor(deps: FilePoolDeps, options: { readonly maxOpenFiles: number; readonly retryMs?: number }) {
    this.#log = deps.log;
    this.#assertMayWrite = deps.assertMayWrite ?? (() => undefined);
    this.#maxOpenFiles = options.maxOpenFiles;
    this.#limit = options.maxOpenFiles;
    this.#pauseMs = options.retryMs ?? OPEN_RETRY_MS;
  }

  get openCount(): number {
    return this.#openCount;
  }

  get limit(): number {
    return this.#limit;
  }

  /** An open descriptor at once, or null. What is taken must be released. @throws what forbids to write */
  take(slot: FileSlot, mode: OpenMode): OpenFile | null {
    if (mode === 'write') this.#assertMayWrite();
    const file = slot.current;
    if (!file || (mode === 'write' && !file.writable)) return null;
    if (file.users++ === 0) this.#idle.delete(file);
    return file;
  }

  /** Opens the slot unless it is open. @throws what the slot's `open` throws */
  async acquire(slot: FileSlot, mode: OpenMode, use: Use = 'operation'): Promise<OpenFile> {
    for (;;) {
      const file = this.take(slot, mode);
      if (file) return file;
      // Another opens it: whether that fails or suits is seen on the next round.
      if (slot.opening) await slot.opening;
      else {
        const opening = this.#openSlot(slot, mode, use);
        const settled = opening.then(
          () => undefined,
          () => undefined,
        );
        slot.opening = settled;
        try {
          return await opening;
        } finally {
          if (slot.opening === settled) slot.opening = null;
        }
      }
    }
  }

  release(file: OpenFile): void {
    if (--file.users > 0) return;
    const isSurplus = this.#isClosed || this.#openCount > this.#limit;
    if (isSurplus || file.slot.current !== file) void this.#close(file);
    else {
      this.#idle.add(file);
      this.#waiting.shift()?.();
    }
  }

  /** Lets go of the descriptor: at once when it is idle, else when its last user releases it. */
  async forget(slot: FileSlot): Promise<void> {
    const file = slot.current;
    if (!file) return;
    slot.current = null;
    if (file.users === 0) await this.#close(file);
  }

  /** Closes idle files; from now on a file is closed as soon as it has no users. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#idle].map((file) => this.#close(file)));
  }

  async #openSlot(slot: FileSlot, mode: OpenMode, use: Use): Promise<OpenFile> {
    await this.#room(use);
    this.#openCount++;
    try {
      const fd = await this.#openWithRetry(slot, mode);
      const file: OpenFile = { fd, slot, writable: mode === 'write', users: 1 };
      // A read-only descriptor that this one replaces stays with those who use it.
      await this.forget(slot);
      slot.current = file;
      return file;
    } catch (error) {
      this.#openCount--;
      this.#waiting.shift()?.();
      throw error;
    }
  }

  async #room(use: Use): Promise<void> {
    while (this.#openCount >= this.#limit) {
      const oldest = this.#oldestIdle();
      if (oldest) await this.#close(oldest);
      else if (use === 'pin') return;
      else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    }
  }

  async #openWithRetry(slot: FileSlot, mode: OpenMode): Promise<number> {
    for (let pauseMs = this.#pauseMs; ; pauseMs = Math.min(2 * pauseMs, MAX_OPEN_RETRY_MS)) {
      try {
        const fd = await slot.open(mode);
        if (this.#limit < this.#maxOpenFiles && ++this.#calmOpens % OPENS_PER_REGROWTH === 0) this.#limit++;
        return fd;
      } catch (error) {
        const errno = errnoOf(error);
        if ((errno !== 'EMFILE' && errno !== 'ENFILE') || this.#isClosed) throw error;
        await this.#shrink(pauseMs);
      }
    }
  }

  async #shrink(pauseMs: number): Promise<void> {
    this.#calmOpens = 0;
    const limit = Math.max(1, Math.min(this.#limit, this.#openCount - 1));
    if (limit < this.#limit) this.#log.warn('out of file descriptors', { errno: 'EMFILE', limit });
    this.#limit = limit;
    const oldest = this.#oldestIdle();
    // With nothing to close the descriptors are with peers, or with operations that end soon.
    if (oldest) await this.#close(oldest);
    else await pause(pauseMs);
  }

  #oldestIdle(): OpenFile | null {
    for (const file of this.#idle) return file;
    return null;
  }

  async #close(file: OpenFile): Promise<void> {
    this.#idle.delete(file);
    if (file.slot.current === file) file.slot.current = null;
    await new Promise<void>((resolve) => {
      close(file.fd, (error) => {
        // Writes that failed late are found by sync(); the descriptor is gone either way.
        if (error) this.#log.warn('close failed', { errno: error.code ?? null });
        resolve();
      });
    });
    this.#openCount--;
    this.#waiting.shift()?.();
  }
}
