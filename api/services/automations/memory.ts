// What rules remember of torrents over a restart: since when conditions hold, what was done once, how much was removed within
// the hour. Owns: what may not be done twice is written down before it is done.
import { z } from 'zod';
import { idSchema, timeSchema } from '../../../shared-protocol/dto/fields.js';
import type { Collection } from '../../../storage/types.js';

/** Torrents of one rule that wait, and that it has done something to once: those beyond it wait until others have gone. */
const MAX_WAITING = 20_000;
const MAX_DONE = 5_000;
/** Over which removals are counted. */
const WINDOW_S = 3_600;

const ruleMemorySchema = z.object({
  rule_id: idSchema,
  since: z.array(z.tuple([z.string(), timeSchema])),
  done: z.array(z.string()),
  removals: z.array(z.tuple([timeSchema, z.int()])),
});
export const automationMemorySchema = z.object({ saved_at: timeSchema, rules: z.array(ruleMemorySchema) });
export type AutomationMemoryData = z.infer<typeof automationMemorySchema>;
export const NO_AUTOMATION_MEMORY: AutomationMemoryData = { saved_at: 0, rules: [] };

interface RuleMemory {
  readonly since: Map<string, number>;
  readonly done: Set<string>;
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
    for (const { rule_id, since, done, removals } of rules) {
      const shifted = since.map(([id, at]) => [id, at + away] as const);
      this.#rules.set(rule_id, { since: new Map(shifted), done: new Set(done), removals });
    }
  }

  heldSince(ruleId: number, torrent: string): number | null {
    return this.#rules.get(ruleId)?.since.get(torrent) ?? null;
  }

  wasDone(ruleId: number, torrent: string): boolean {
    return this.#rules.get(ruleId)?.done.has(torrent) ?? false;
  }

  hold(ruleId: number, torrent: string): void {
    const { since } = this.#of(ruleId);
    if (since.has(torrent) || since.size >= MAX_WAITING) return;
    since.set(torrent, this.deps.now());
    this.#isChanged = true;
  }

  /** False: the rule remembers as many as it may, and must not act. */
  noteDone(ruleId: number, torrent: string): boolean {
    const { done } = this.#of(ruleId);
    if (done.size >= MAX_DONE) return false;
    done.add(torrent);
    this.#isChanged = true;
    return true;
  }

  /** The conditions of the rule do not hold for the torrent. */
  release(ruleId: number, torrent: string): void {
    const memory = this.#rules.get(ruleId);
    if (!memory) return;
    const held = memory.since.delete(torrent);
    if (memory.done.delete(torrent) || held) this.#isChanged = true;
  }

  removedLately(ruleId: number): number {
    const from = this.deps.now() - WINDOW_S;
    const removals = this.#rules.get(ruleId)?.removals ?? [];
    return removals.reduce((sum, [at, torrents]) => (at > from ? sum + torrents : sum), 0);
  }

  noteRemovals(ruleId: number, torrents: number): void {
    const memory = this.#of(ruleId);
    const now = this.deps.now();
    memory.removals = [...memory.removals.filter(([at]) => at > now - WINDOW_S), [now, torrents]];
    this.#isChanged = true;
  }

  /** The rule is another one now, or is gone. Removals that are counted stay counted. */
  forget(ruleId: number, isGone: boolean): void {
    const memory = this.#rules.get(ruleId);
    if (!memory) return;
    this.#isChanged = true;
    if (isGone) this.#rules.delete(ruleId);
    else {
      memory.since.clear();
      memory.done.clear();
    }
  }

  /** Forgets torrents that the rule does not see any more. */
  keepOnly(ruleId: number, torrents: ReadonlySet<string>): void {
    const memory = this.#rules.get(ruleId);
    for (const id of [...(memory?.since.keys() ?? []), ...(memory?.done ?? [])]) {
      if (!torrents.has(id)) this.release(ruleId, id);
    }
  }

  /** Writes also where nothing has changed, if anything waits: of what held only the time until the last write counts. @throws AppError `STORAGE_FAILED` */
  async save(): Promise<void> {
    if (!this.#isChanged && !this.#isWaiting) return;
    this.#isChanged = false;
    const rules = [...this.#rules].map(([rule_id, { since, done, removals }]) => ({
      ...{ rule_id, since: [...since], done: [...done] },
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

  #of(ruleId: number): RuleMemory {
    const known = this.#rules.get(ruleId);
    if (known) return known;
    const memory: RuleMemory = { since: new Map(), done: new Set(), removals: [] };
    this.#rules.set(ruleId, memory);
    return memory;
  }
}
