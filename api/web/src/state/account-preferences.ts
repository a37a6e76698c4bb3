// What the page remembers for the account, on whichever browser it signs in next: kept by the server, with a copy in this
// browser for the first paint, so that nothing jumps when the server answers. Of two tabs the last that writes wins, by
// entry; tabs of one browser tell each other. A page that is loaded again asks before the server has what the last one
// sent as it went; so what the server has not confirmed is noted beside the copies, and sent once more.
import { createMemo, createSignal, onCleanup, untrack, type Accessor, type Setter } from 'solid-js';
import type { PreferencesDto } from '../../../../shared-protocol/dto/preferences.js';
import { ApiError, call } from '../net/http.js';
import { readPreference, writePreference } from './preferences.js';
import { atBase } from '../net/base.js';

const PATH = '/api/me/preferences';
/** Dragging an edge is one change. */
const WRITE_AFTER_MS = 700;
const STORED = 'swarmd.';
/** A page that is loaded later than this takes what the server has: another browser may have changed it since. */
const UNCONFIRMED_FOR_MS = 60_000;
/** No name of an entry, which have no space. */
const UNCONFIRMED = ' unconfirmed';

interface Unconfirmed {
  readonly names: readonly string[];
  readonly at: number;
}

interface Entry {
  readonly value: Accessor<unknown>;
  readonly set: Setter<unknown>;
}

class Keeper {
  readonly #entries = new Map<string, Entry>();
  /** Names whose values the server does not have yet. */
  readonly #unsaved = new Set<string>();
  /** Changes of requests that are not answered yet. */
  readonly #sent = new Set<PreferencesDto>();
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly accountId: number,
    private readonly onRefused: (reason: string) => void,
  ) {
    for (const name of this.#readUnconfirmed()) this.#unsaved.add(name);
  }

  entry(name: string): Entry {
    let entry = this.#entries.get(name);
    if (!entry) {
      const copy = readPreference(this.#copyName(name), isAnything);
      const [value, set] = createSignal<unknown>(copy, { equals: isSame });
      this.#entries.set(name, (entry = { value, set }));
    }
    return entry;
  }

  set(name: string, value: unknown): void {
    const entry = this.entry(name);
    if (isSame(untrack(entry.value), value)) return;
    this.#show(name, value);
    this.#unsaved.add(name);
    this.#noteUnconfirmed();
    clearTimeout(this.#later);
    this.#later = setTimeout(() => void this.save(), WRITE_AFTER_MS);
  }

  /** Shows what the server has; what has been changed here meanwhile stays as it is. */
  async load(): Promise<void> {
    await this.save();
    const loaded = await call<PreferencesDto>('GET', PATH).catch(unlessApiError);
    if (!loaded) return;
    for (const name of new Set([...this.#entries.keys(), ...Object.keys(loaded)])) {
      if (!this.#unsaved.has(name)) this.#show(name, Object.hasOwn(loaded, name) ? loaded[name] : null);
    }
  }

  /** Sends what has changed; what the server did not take is sent with what changes next. */
  async save(): Promise<void> {
    const changes = this.#take();
    if (!changes) return;
    await call('PUT', PATH, changes).then(
      () => this.#confirm(changes),
      (error: unknown) => this.#keep(changes, error),
    );
  }

  /** The page goes: the request outlives it. */
  saveAtOnce(): void {
    const changes = this.#take();
    if (!changes) return;
    const headers = { 'Content-Type': 'application/json' };
    void fetch(atBase(PATH), { method: 'PUT', body: JSON.stringify(changes), headers, keepalive: true }).then(
      ({ ok }) => (ok ? this.#confirm(changes) : this.#keep(changes, null)),
      () => this.#keep(changes, null),
    );
  }

  /** Another tab has stored a copy. */
  onStored(key: string | null): void {
    const name = [...this.#entries.keys()].find((each) => STORED + this.#copyName(each) === key);
    if (name === undefined || this.#unsaved.has(name)) return;
    this.entry(name).set(readPreference(this.#copyName(name), isAnything));
  }

  #show(name: string, value: unknown): void {
    this.entry(name).set(() => value);
    writePreference(this.#copyName(name), value);
  }

  #take(): PreferencesDto | null {
    clearTimeout(this.#later);
    if (this.#unsaved.size === 0) return null;
    const changes = Object.fromEntries([...this.#unsaved].map((name) => [name, untrack(this.entry(name).value)]));
    this.#unsaved.clear();
    this.#sent.add(changes);
    return changes;
  }

  #confirm(changes: PreferencesDto): void {
    this.#sent.delete(changes);
    this.#noteUnconfirmed();
  }

  #keep(changes: PreferencesDto, error: unknown): void {
    // Refused for what it is: sent again it would be refused again, with all that comes after.
    if (error instanceof ApiError && error.status === 400) this.onRefused(error.message);
    else for (const name of Object.keys(changes)) this.#unsaved.add(name);
    this.#confirm(changes);
  }

  #noteUnconfirmed(): void {
    const names = new Set([...this.#unsaved, ...[...this.#sent].flatMap(Object.keys)]);
    writePreference(this.#copyName(UNCONFIRMED), { names: [...names], at: Date.now() });
  }

  #readUnconfirmed(): readonly string[] {
    const stored = readPreference(this.#copyName(UNCONFIRMED), isUnconfirmed);
    return stored && Math.abs(Date.now() - stored.at) < UNCONFIRMED_FOR_MS ? stored.names : [];
  }

  #copyName(name: string): string {
    return `account-${this.accountId}.${name}`;
  }
}

let keeper: Keeper | null = null;

/**
 * For the component that is there as long as the account is signed in. Returns what to do when it has signed in anew.
 * `onRefused`: told why the server does not take what was changed.
 */
export function keepAccountPreferences(accountId: number, onRefused: (reason: string) => void): () => void {
  const own = (keeper = new Keeper(accountId, onRefused));
  void own.load();
  const onHide = () => own.saveAtOnce();
  const onStorage = ({ key }: StorageEvent) => own.onStored(key);
  addEventListener('pagehide', onHide);
  addEventListener('storage', onStorage);
  onCleanup(() => {
    removeEventListener('pagehide', onHide);
    removeEventListener('storage', onStorage);
    own.saveAtOnce();
    if (keeper === own) keeper = null;
  });
  return () => void own.save().then(() => own.load());
}

/** A signal that comes back as it was. `isValid`: what is stored may be of another version of the page. The server takes names in lower case. */
export function createAccountPreference<Value>(
  name: Lowercase<string>,
  initial: Value,
  isValid: (stored: unknown) => stored is Value,
): readonly [Accessor<Value>, (value: Value) => void] {
  const own = keeper;
  if (!own) throw new Error('bug: nobody is signed in');
  const { value } = own.entry(name);
  const valid = createMemo(() => {
    const stored = value();
    return isValid(stored) ? stored : initial;
  });
  return [valid, (next) => own.set(name, next)];
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function isAnything(stored: unknown): stored is unknown {
  return stored !== undefined;
}

function isUnconfirmed(stored: unknown): stored is Unconfirmed {
  const { names, at } = (stored ?? {}) as Partial<Record<keyof Unconfirmed, unknown>>;
  return Array.isArray(names) && names.every((name) => typeof name === 'string') && Number.isFinite(at);
}

function unlessApiError(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}
