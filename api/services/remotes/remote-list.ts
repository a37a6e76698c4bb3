// The list of one remote as it was told last, each torrent as the text that is answered. What a remote tells is checked
// before anybody is shown it: it is another machine, of another version, that somebody else may have got hold of.
import { z } from 'zod';
import { torrentSchema } from '../../../shared-protocol/dto/torrents.js';

/** No spec value; more than any account has here. */
export const MAX_REMOTE_TORRENTS = 250_000;
/** Length of one torrent as text: names and messages are short. */
const MAX_TORRENT_CHARS = 32 * 1024;

/** Fields that came after the first release may be missing: they are told as they are when nothing is known. */
const LATER = {
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

const idSchema = z.string().regex(/^[0-9a-f]{40}$/, 'expected an info hash');
const knownSchema = torrentSchema.extend({ id: idSchema });
/** At least what says which torrent it is about. */
const upsertSchema = z.looseObject({ id: idSchema });
type Told = z.infer<typeof upsertSchema>;

/** The messages that are about the list. */
const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('torrents:tick'), payload: z.array(z.unknown()) }),
  z.object({
    type: z.literal('torrents:delta'),
    payload: z.object({ upsert: z.array(upsertSchema), removed: z.array(z.string()) }),
  }),
]);
const typeSchema = z.object({ type: z.string() });

export class RemoteList {
  /** JSON by info hash, in the order of the remote. */
  #texts = new Map<string, string>();
  #bytes: Buffer | null = null;

  constructor(private readonly serverId: number) {}

  get size(): number {
    return this.#texts.size;
  }

  /** A torrent as JSON. */
  find(infohash: string): string | undefined {
    return this.#texts.get(infohash);
  }

  /** Torrents as JSON, each with a comma before it; the same buffer while nothing has changed. */
  get bytes(): Buffer {
    return (this.#bytes ??= Buffer.from(Array.from(this.#texts.values(), (text) => `,${text}`).join('')));
  }

  /**
   * Takes a message; those about other things are left out.
   * @throws Error with a message for people; nothing has changed then
   */
  take(text: string): void {
    let told: unknown;
    try {
      told = JSON.parse(text);
    } catch {
      throw new Error('it does not speak JSON');
    }
    const { data: kind } = typeSchema.safeParse(told);
    if (!kind) throw new Error('it does not speak as Swarmd does');
    if (kind.type !== 'torrents:tick' && kind.type !== 'torrents:delta') return;
    const message = checked(messageSchema, told, kind.type);
    if (message.type === 'torrents:tick') this.#replace(message.payload);
    else this.#change(message.payload.upsert, message.payload.removed);
    this.#bytes = null;
  }

  #replace(torrents: readonly unknown[]): void {
    assertBounded(torrents.length);
    const texts = torrents.map((torrent, place) => {
      const where = `torrents.${place}`;
      return this.#textOf(checked(upsertSchema, torrent, where), where);
    });
    this.#texts = new Map(texts);
  }

  #change(upsert: readonly Told[], removed: readonly string[]): void {
    assertBounded(this.#texts.size + upsert.length - removed.length);
    const texts = upsert.map((torrent, place) => {
      const before = this.#texts.get(torrent.id);
      const known = before === undefined ? {} : (JSON.parse(before) as object); // our own text
      return this.#textOf({ ...known, ...torrent }, `upsert.${place}`);
    });
    for (const id of removed) this.#texts.delete(id);
    const added = texts.filter(([id]) => !this.#texts.has(id));
    // Newest first, as in the list in full.
    if (added.length > 0) this.#texts = new Map([...added, ...this.#texts]);
    for (const [id, text] of texts) this.#texts.set(id, text);
  }

  /** The text of a torrent; one that is told as it was before has been checked then. */
  #textOf(torrent: Told, where: string): readonly [string, string] {
    const told = { ...LATER, ...torrent, server_id: this.serverId };
    const text = JSON.stringify(told);
    const before = this.#texts.get(torrent.id);
    if (text === before) return [torrent.id, before];
    if (text.length > MAX_TORRENT_CHARS) throw new Error(`${where}: too long`);
    checked(knownSchema, told, where);
    return [torrent.id, text];
  }
}

function assertBounded(torrents: number): void {
  if (torrents > MAX_REMOTE_TORRENTS) throw new Error(`it has more than ${MAX_REMOTE_TORRENTS} torrents`);
}

/** @throws Error that names the field */
function checked<Value>(schema: z.ZodType<Value>, value: unknown, where: string): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`what it tells is not valid: ${[where, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? ''}`);
}
