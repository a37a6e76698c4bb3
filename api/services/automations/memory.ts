// What rules remember of torrents over a restart: since when conditions hold, what was done once, how much was removed within
// the hour. Owns: what may not be done twice is written down before it is done; a rule that says something else has no past.
import { z } from 'zod';
import { idSchema, timeSchema } from '../../../shared-protocol/dto/fields.js';
import type { Collection } from '../../../storage/types.js';
import type { CompiledRule } from './compiled-rule.js';

/** Torrents of one rule that wait, and that it has done something to once: those beyond it wait until others have gone. */
const MAX_WAITING = 20_000;
const MAX_DONE = 5_000;
/** The same of all rules of an account, once for each: all of it is written at once. */
const MAX_WAITING_OF_ACCOUNT = 30_000;
const MAX_DONE_OF_ACCOUNT = 20_000;
/** Over which removals are counted. */
const WINDOW_S = 3_600;

const ruleMemorySchema = z.object({
  rule_id: idSchema,
  digest: z.string().default(''),
  since: z.array(z.tuple([z.string(), timeSchema])),
  /** Torrent and kind, with a space in between. */
  done: z.array(z.string()),
  removals: z.array(z.tuple([timeSchema, z.int()])),
});
export const automationMemorySchema = z.object({ saved_at: timeSchema, rules: z.array(ruleMemorySchema) });
export type AutomationMemoryData = z.infer<typeof automationMemorySchema>;
export const NO_AUTOMATION_MEMORY: AutomationMemoryData = { saved_at: 0, rules: [] };

/** A rule by what it says. */
export type SaidRule = Pick<CompiledRule, 'id' | 'digest'>;

interface RuleMemory {
  /** Digest of what the rule said when this came to be remembered. */
  readonly digest: string;
  readonly since: Map<string, number>;
  /** Kinds of what was done once, by torrent. */
  readonly done: Map<string, Set<string>>;
  removals: (readonly [at: number, torrents: number])[];
}

export interface MemoryDeps {
  readonly collection: Collection<AutomationMemoryData>;
  /** Unix seconds. */
  readonly now: () => number;
}

export class Memory {
  readonly #rules = new Map<number, RuleMemory>();
  #isChanged = false;

  constructor(private readonly deps: MemoryDeps) {
    this.load();
  }

  /** Goes on from what is stored: another front may have looked since. */
  load(): void {
    const { saved_at, rules } = this.deps.collection.data;
    this.#rules.clear();
    this.#isChanged = false;
    // For as long as nobody looked nothing is known to have held.
    const away = Math.max(0, this.deps.now() - saved_at);
    for (const { rule_id, digest, since, done, removals } of rules) {
      const shifted = since.map(([id, at]) => [id, at + away] as const);
      this.#rules.set(rule_id, { digest, since: new Map(shifted), done: kindsByTorrent(done), removals });
    }
  }

  heldSince(rule: SaidRule, torrent: string): number | null {
    return this.#pastOf(rule)?.since.get(torrent) ?? null;
  }

  wasDone(rule: SaidRule, torrent: string, kind: string): boolean {
    return this.#pastOf(rule)?.done.get(torrent)?.has(kind) ?? false;
  }

  /** `own`: the rules of the account, which share its bound. */
  hold(rule: SaidRule, torrent: string, own: readonly SaidRule[]): void {
    const { since } = this.#of(rule);
    if (since.has(torrent) || since.size >= MAX_WAITING) return;
    if (this.#sum(own, (memory) => memory.since.size) >= MAX_WAITING_OF_ACCOUNT) return;
    since.set(torrent, this.deps.now());
    this.#isChanged = true;
  }

  /** False: as many are remembered as may be, and the rule must not act. `own`: the rules of the account. */
  noteDone(rule: SaidRule, torrent: string, kind: string, own: readonly SaidRule[]): boolean {
    const { done } = this.#of(rule);
    const kinds = done.get(torrent) ?? new Set();
    if (kinds.size === 0) {
      if (done.size >= MAX_DONE) return false;
      if (this.#sum(own, (memory) => memory.done.size) >= MAX_DONE_OF_ACCOUNT) return false;
    }
    done.set(torrent, kinds.add(kind));
    this.#isChanged = true;
    return true;
  }

  /** Takes back what was noted and then not done. */
  noteUndone(rule: SaidRule, torrent: string, kind: string): void {
    const done = this.#pastOf(rule)?.done;
    const kinds = done?.get(torrent);
    if (!done || !kinds?.delete(kind)) return;
    if (kinds.size === 0) done.delete(torrent);
    this.#isChanged = true;
  }

  /** The conditions of the rule do not hold for the torrent. */
  release(rule: SaidRule, torrent: string): void {
    const memory = this.#pastOf(rule);
    if (!memory) return;
    const held = memory.since.delete(torrent);
    if (memory.done.delete(torrent) || held) this.#isChanged = true;
  }

  removedLately(ruleId: number): number {
    const from = this.deps.now() - WINDOW_S;
    const removals = this.#rules.get(ruleId)?.removals ?? [];
    return removals.reduce((sum, [at, torrents]) => (at > from ? sum + torrents : sum), 0);
  }

  noteRemovals(rule: SaidRule, torrents: number): void {
    const memory = this.#of(rule);
    const now = this.deps.now();
    memory.removals = [...memory.removals.filter(([at]) => at > now - WINDOW_S), [now, torrents]];
    this.#isChanged = true;
  }

  /** Forgets rules that nobody looks by: what held meanwhile is not known. Removals that are counted stay counted. */
  keepOnlyRules(ids: ReadonlySet<number>): void {
    for (const [id, memory] of this.#rules) {
      if (ids.has(id)) continue;
      if (this.removedLately(id) === 0) this.#rules.delete(id);
      else this.#rules.set(id, { ...memory, since: new Map(), done: new Map() });
      this.#isChanged = true;
    }
  }

  /** Forgets torrents that the rule does not see any more. */
  keepOnly(rule: SaidRule, torrents: ReadonlySet<string>): void {
    const memory = this.#pastOf(rule);
    for (const id of [...(memory?.since.keys() ?? []), ...(memory?.done.keys() ?? [])]) {
      if (!torrents.has(id)) this.release(rule, id);
    }
  }

  /** Writes also where nothing has changed, if anything waits: of what held only the time until the last write counts. @throws AppError `STORAGE_FAILED` */
  async save(): Promise<void> {
    if (!this.#isChanged && !this.#isWaiting) return;
    this.#isChanged = false;
    const rules = [...this.#rules].map(([rule_id, { digest, since, done, removals }]) => ({
      ...{ rule_id, digest, since: [...since], done: marksOf(done) },
      removals: removals.map(([at, torrents]): [number, number] => [at, torrents]),
    }));
    try {
      await this.deps.collection.update((data) => {
        data.saved_at = this.deps.now();
        data.rules = rules;
      });
    } catch (error) {
      this.#isChanged = true;
      throw error;
    }
  }

  get #isWaiting(): boolean {
    return [...this.#rules.values()].some(({ since }) => since.size > 0);
  }

  #sum(rules: readonly SaidRule[], sizeOf: (memory: RuleMemory) => number): number {
    return rules.reduce((sum, { id }) => {
      const memory = this.#rules.get(id);
      return memory ? sum + sizeOf(memory) : sum;
    }, 0);
  }

  #pastOf({ id, digest }: SaidRule): RuleMemory | null {
    const known = this.#rules.get(id);
    return known?.digest === digest ? known : null;
  }

  #of(rule: SaidRule): RuleMemory {
    const known = this.#pastOf(rule);
    if (known) return known;
    const { id, digest } = rule;
    const removals = this.#rules.get(id)?.removals ?? [];
    const memory: RuleMemory = { digest, since: new Map(), done: new Map(), removals };
    this.#rules.set(id, memory);
    return memory;
  }
}

function kindsByTorrent(marks: readonly string[]): Map<string, Set<string>> {
  const done = new Map<string, Set<string>>();
  for (const mark of marks) {
    const [torrent = '', kind = ''] = mark.split(' ');
    done.set(torrent, (done.get(torrent) ?? new Set()).add(kind));
  }
  return done;
}

function marksOf(done: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...done].flatMap(([torrent, kinds]) => [...kinds].map((kind) => `${torrent} ${kind}`));
}
