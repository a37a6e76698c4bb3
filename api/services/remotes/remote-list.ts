// The list of one remote as it was told last, each torrent as the text that is answered. What a remote tells is checked
// before anybody is shown it: it is another machine, of another version, that somebody else may have got hold of.
import { z } from 'zod';
import { torrentSchema } from '../../../shared-protocol/dto/torrents.js';

/** No spec value; more than any account has here. */
export const MAX_REMOTE_TORRENTS = 250_000;
/** Length of one torrent as text: names and messages are short. */
const MAX_TORRENT_CHARS = 32 * 1024;

/** Fields that came after the first release may be missing: they are told as they are when nothing is known. */
const LATER: Readonly<Record<string, unknown>> = {
  completed_at: null,
  moving: false,
  private: false,
  error: null,
  tracker_error: null,
  tracker_works: false,
  content_path: '',
  total_down: 0,
  total_up: 0,
  ratio: 0,
  swarm_seeds: -1,
  swarm_leechers: -1,
  availability: null,
  last_activity_at: 0,
  seeding_seconds: 0,
  seeding_since: 0,
  checking_progress: null,
  active_seconds: 0,
  active_since: 0,
  rate_limits: null,
};

/** Length of a message about other things, which are figures. */
const MAX_OTHER_CHARS = 1024 * 1024;

const INFO_HASH = /^[0-9a-f]{40}$/;
/** A torrent of which no more is known than which one it is. */
type Told = object & { readonly id: string; server_id?: unknown };

/** The messages that are about the list. */
const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('torrents:tick'), payload: z.array(z.unknown()) }),
  z.object({
    type: z.literal('torrents:delta'),
    payload: z.object({ upsert: z.array(z.unknown()), removed: z.array(z.string()) }),
  }),
]);
const typeSchema = z.object({ type: z.string() });

/** Removals that are remembered: who was told of an earlier list is told all of this one. */
const MAX_REMOVED = 10_000;

interface Known {
  /** JSON, without the server. */
  readonly text: string;
  /** The revision that it is of. */
  readonly revision: number;
}

/** The difference from an earlier revision, as the text of an object without its opening brace, in memory of its own. */
export interface ListChange {
  readonly bytes: Uint8Array;
  readonly revision: number;
}

export class RemoteList {
  /** JSON by info hash, in the order of the remote. */
  #torrents = new Map<string, Known>();
  #removed: { readonly id: string; readonly revision: number }[] = [];
  #revision: number;
  /** The first revision from which on all removals are known. */
  #since: number;
  #bytes: Buffer | null = null;
  #chars: number | null = null;

  /** Revisions begin at `first`: where lists begin anew, at one that none had before. */
  constructor(
    private readonly serverId: number,
    first = 0,
  ) {
    this.#revision = first;
    this.#since = first;
  }

  /** Characters of its texts. */
  get chars(): number {
    if (this.#chars !== null) return this.#chars;
    let chars = 0;
    for (const { text } of this.#torrents.values()) chars += text.length;
    return (this.#chars = chars);
  }

  get size(): number {
    return this.#torrents.size;
  }

  /** A torrent as JSON. */
  find(infohash: string): string | undefined {
    const known = this.#torrents.get(infohash);
    return known && this.#shown(known);
  }

  /** Torrents as JSON, each with a comma before it; the same buffer while nothing has changed. */
  get bytes(): Buffer {
    return (this.#bytes ??= Buffer.from(
      Array.from(this.#torrents.values(), (known) => `,${this.#shown(known)}`).join(''),
    ));
  }

  /** All that is different from that revision; everything where it is none of this list, or too long ago. */
  changesSince(revision: number): ListChange {
    const isKnown = revision >= this.#since && revision <= this.#revision;
    const known = [...this.#torrents.values()];
    const upsert = isKnown ? known.filter((each) => each.revision > revision) : known;
    const removed = isKnown ? this.#removed.filter((each) => each.revision > revision) : [];
    const ids = JSON.stringify(removed.map(({ id }) => id).filter((id) => !this.#torrents.has(id)));
    const texts = upsert.map((each) => this.#shown(each)).join(',');
    const text = `"full":${!isKnown},"upsert":[${texts}],"removed":${ids}}`;
    return { bytes: new TextEncoder().encode(text), revision: this.#revision };
  }

  /**
   * Takes a message; those about other things are left out.
   * @throws Error with a message for people; nothing has changed then
   */
  take(text: string): void {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw new Error('it does not speak JSON');
    }
    const { data: kind } = typeSchema.safeParse(json);
    if (!kind) throw new Error('it does not speak as Swarmd does');
    if (kind.type !== 'torrents:tick' && kind.type !== 'torrents:delta') {
      if (text.length > MAX_OTHER_CHARS) throw new Error('a message that is not about its list is too long');
      return;
    }
    const message = checked(messageSchema, json, kind.type);
    if (message.type === 'torrents:tick') this.#replace(message.payload);
    else this.#change(message.payload.upsert, message.payload.removed);
    this.#bytes = null;
    this.#chars = null;
  }

  #replace(torrents: readonly unknown[]): void {
    assertBounded(torrents.length);
    const texts = torrents.map((torrent, place) => {
      const where = `torrents.${place}`;
      return this.#textOf(told(torrent, where), where);
    });
    const before = this.#torrents;
    this.#revision++;
    this.#torrents = new Map(texts.map(([id, text]) => [id, this.#known(id, text, before)]));
    this.#forget([...before.keys()].filter((id) => !this.#torrents.has(id)));
  }

  #change(upsert: readonly unknown[], removed: readonly string[]): void {
    const texts = upsert.map((each, place) => {
      const where = `upsert.${place}`;
      const torrent = told(each, where);
      const before = this.#torrents.get(torrent.id);
      const known = before === undefined ? {} : (JSON.parse(before.text) as object); // our own text
      return this.#textOf(Object.assign(known, torrent), where);
    });
    const gone = new Set(removed.filter((id) => this.#torrents.has(id)));
    const fresh = new Set(texts.map(([id]) => id).filter((id) => !this.#torrents.has(id)));
    assertBounded(this.#torrents.size - gone.size + fresh.size);
    this.#revision++;
    for (const id of gone) this.#torrents.delete(id);
    this.#forget([...gone]);
    const changed = new Map(texts.map(([id, text]) => [id, this.#known(id, text, this.#torrents)]));
    // Newest first, as in the list in full.
    const first = [...changed].filter(([id]) => fresh.has(id));
    if (first.length > 0) this.#torrents = new Map([...first, ...this.#torrents]);
    for (const [id, known] of changed) this.#torrents.set(id, known);
  }

  #known(id: string, text: string, before: ReadonlyMap<string, Known>): Known {
    const last = before.get(id);
    return last?.text === text ? last : { text, revision: this.#revision };
  }

  #forget(ids: readonly string[]): void {
    if (ids.length === 0) return;
    const all = [...this.#removed, ...ids.map((id) => ({ id, revision: this.#revision }))];
    const lost = all.length - MAX_REMOVED;
    if (lost > 0) this.#since = all[lost - 1]!.revision;
    this.#removed = all.slice(-MAX_REMOVED);
  }

  /** The text of a torrent; one that is told as it was before has been checked then. */
  #textOf(torrent: Told, where: string): readonly [string, string] {
    // Whose it is is not for the remote to say.
    if (torrent.server_id !== undefined) delete torrent.server_id;
    for (const field in LATER) if (!(field in torrent)) Object.assign(torrent, { [field]: LATER[field] });
    const text = JSON.stringify(torrent);
    const before = this.#torrents.get(torrent.id)?.text;
    if (text === before) return [torrent.id, before];
    if (text.length > MAX_TORRENT_CHARS) throw new Error(`${where}: too long`);
    checked(torrentSchema, torrent, where);
    return [torrent.id, text];
  }

  #shown({ text }: Known): string {
    return `{"server_id":${this.serverId},${text.slice(1)}`;
  }
}

function assertBounded(torrents: number): void {
  if (torrents > MAX_REMOTE_TORRENTS) throw new Error(`it has more than ${MAX_REMOTE_TORRENTS} torrents`);
}

/** By hand: of ten thousand torrents that were told before nothing else is looked at. @throws Error that names the field */
function told(torrent: unknown, where: string): Told {
  if (typeof torrent === 'object' && torrent !== null && 'id' in torrent && typeof torrent.id === 'string') {
    if (INFO_HASH.test(torrent.id)) return torrent as Told;
  }
  throw new Error(`what it tells is not valid: ${where}.id: expected an info hash`);
}

/** @throws Error that names the field */
function checked<Value>(schema: z.ZodType<Value>, value: unknown, where: string): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`what it tells is not valid: ${[where, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? ''}`);
}
