// Rules at work: looks at the torrents of accounts that have some, and does what is to be done. Owns: each act is by the
// rights that the account has at that moment; a rule that would remove more than it may removes nothing and stops.
import { setImmediate as othersRan } from 'node:timers/promises';
import type { AccountId, TorrentId } from '../../../shared-protocol/ids.js';
import { kindOf, type AutomationRun } from '../../../shared-protocol/dto/automations.js';
import { forEachLimit } from '../../../shared-protocol/for-each-limit.js';
import type { Account } from '../../auth/account.js';
import { answerFor, type ErrorAnswer } from '../../errors.js';
import type { Log } from '../../logging.js';
import type { BackgroundService } from '../background-service.js';
import { SteadyClock } from '../steady-clock.js';
import { shownName } from '../library/torrent-dto.js';
import type { Automations } from './automations.js';
import type { CompiledRule } from './compiled-rule.js';
import { act, type DeedsDeps } from './deeds.js';
import { isOnce } from './effects.js';
import { Evaluation, type Deeds, type EvaluationDeps } from './evaluation.js';
import type { NewRun, RunHistory } from './history.js';
import { markBefore, removalsOf, unmarkUndone, withoutRemovals } from './marks.js';
import type { Memory } from './memory.js';
import { planFor, type Remembered, type Step } from './plan.js';
import { RecentDeeds } from './recent-deeds.js';
import { Sight, type Circumstances } from './sight.js';
import { Due } from './subject.js';
import { circumstancesOf, type CircumstancesDeps } from './circumstances.js';
import { TimeBudget } from './time-budget.js';

/** How soon a change is acted on. Measured: docs/automations.md. */
export const LOOK_MS = 5_000;
/** The time between writes of what is remembered but need not survive. */
const SAVE_MS = 300_000;
/** Each act is a durable write. */
const MAX_AT_A_TIME = 16;
const SECOND_MS = 1_000;

export interface AutomationRunsDeps extends DeedsDeps, CircumstancesDeps, Pick<EvaluationDeps, 'nowMs'> {
  readonly library: DeedsDeps['library'] &
    CircumstancesDeps['library'] &
    EvaluationDeps['library'] & {
      find(id: TorrentId): Deeds['torrent'] | undefined;
    };
  readonly automations: Automations;
  readonly history: RunHistory;
  readonly memory: Memory;
  readonly labels: { readonly revision: number };
  /** A rule of the account has acted, or stopped itself. */
  readonly onRun: (account: AccountId, run: NewRun) => void;
  /** Enabled ones. */
  readonly accountOf: (id: number) => Account | undefined;
  readonly log: Pick<Log, 'debug' | 'info' | 'warn'>;
}

/** An account with rules at work. */
interface AtWork {
  readonly account: Account;
  readonly labels: number;
  readonly evaluation: Evaluation;
  readonly recent: RecentDeeds;
}

interface Outcome {
  readonly step: Step;
  readonly torrent: Deeds['torrent'];
  /** null: it was done. */
  readonly failure: ErrorAnswer['body'] | null;
}

export class AutomationRuns implements BackgroundService {
  readonly #atWork = new Map<AccountId, AtWork>();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #isStopped = false;
  readonly #steady = new SteadyClock(true);
  #savedMs: number;

  constructor(private readonly deps: AutomationRunsDeps) {
    this.#savedMs = deps.nowMs();
  }

  start(): void {
    this.#isStopped = false;
    this.deps.memory.load();
    this.#timer = setInterval(() => void this.look(), LOOK_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#isStopped = true;
    await this.#looking;
    await this.deps.memory.save().catch((error: unknown) => this.#warn('memory not saved', error));
  }

  /** null: no rule of the account is at work. */
  recentDeedsOf(account: AccountId): RecentDeeds | null {
    return this.#atWork.get(account)?.recent ?? null;
  }

  /** Looks at what has changed, once at a time. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#lookAtAll().finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #lookAtAll(): Promise<void> {
    this.#isClockBelieved();
    const { automations, memory, accountOf, nowMs } = this.deps;
    const accounts = new Set(automations.accounts());
    memory.keepOnlyRules(automations.activeIds(new Set([...accounts].filter((id) => accountOf(id)))));
    for (const id of this.#atWork.keys()) if (!accounts.has(id)) this.#atWork.delete(id);
    for (const id of accounts) {
      await othersRan();
      if (this.#isStopped) return;
      await this.#lookFor(id).catch((error: unknown) => this.#warn('automations failed', error));
    }
    if (nowMs() - this.#savedMs < SAVE_MS) return;
    this.#savedMs = nowMs();
    await memory.save().catch((error: unknown) => this.#warn('memory not saved', error));
  }

  async #lookFor(id: AccountId): Promise<void> {
    const account = this.deps.accountOf(id);
    if (!account) {
      this.#atWork.delete(id);
      return;
    }
    const atWork = this.#of(account);
    const { sight, thresholds } = atWork.evaluation;
    const { alike, ...circumstances } = await circumstancesOf(this.deps, account, sight, thresholds.asksFreeSpace);
    atWork.recent.forgetOld();
    await this.#actOn(atWork, await atWork.evaluation.look(circumstances, alike), circumstances);
  }

  /** Judged anew by everything that rules depend on. */
  #of(account: Account): AtWork {
    const { automations, labels } = this.deps;
    const rules = automations.active(account.id);
    const known = this.#atWork.get(account.id);
    const isSame =
      known?.account === account &&
      known.labels === labels.revision &&
      known.evaluation.rules.length === rules.length &&
      rules.every((rule, place) => rule === known.evaluation.rules[place]);
    if (isSame) return known;
    const sight = new Sight(
      this.deps,
      account,
      rules.some(({ scope }) => scope === 'visible'),
    );
    const recent = known?.recent ?? new RecentDeeds(this.deps.now);
    const remembered = (torrent: TorrentId): Remembered => this.#remembered(torrent, recent);
    const evaluation = new Evaluation({ ...this.deps, remembered }, sight, rules);
    const atWork = { account, labels: labels.revision, evaluation, recent };
    this.#atWork.set(account.id, atWork);
    return atWork;
  }

  #remembered(torrent: TorrentId, recent: RecentDeeds): Remembered {
    const { memory } = this.deps;
    return {
      heldSince: (rule) => memory.heldSince(rule, torrent),
      wasDone: (rule, kind) => memory.wasDone(rule, torrent, kind),
      coolsUntil: (kind, ruleId) => recent.coolsUntil(torrent, kind, ruleId),
      failedUntil: (ruleId, kind) => recent.failedUntil(torrent, kind, ruleId),
    };
  }

  async #actOn(atWork: AtWork, wanted: readonly Deeds[], circumstances: Circumstances): Promise<void> {
    if (wanted.length === 0) return;
    const deeds = this.#isClockBelieved() ? wanted : withoutRemovals(wanted);
    const stopped = await this.#stopWhatRemovesTooMuch(deeds);
    const left = deeds.map(({ torrent, steps }) => ({
      torrent,
      steps: steps.filter(({ rule }) => !stopped.has(rule)),
    }));
    const { memory, history } = this.deps;
    const outcomes: Outcome[] = [];
    let isUndone = false;
    try {
      await markBefore(memory, left, atWork.evaluation.rules);
      await forEachLimit(left, MAX_AT_A_TIME, async ({ torrent, steps }) => {
        // What the first action of a rule brought about may be what its conditions are about.
        const begun = new Set<CompiledRule>();
        for (const step of steps) {
          if (this.#isStopped) return;
          const outcome = await this.#do(atWork, torrent, step, circumstances, begun.has(step.rule));
          if (!outcome) continue;
          begun.add(step.rule);
          outcomes.push(outcome);
        }
      });
    } finally {
      const done = outcomes.filter(({ failure }) => failure === null).map(({ step }) => step);
      isUndone = unmarkUndone(memory, left, new Set(done));
      for (const { torrent } of left) atWork.evaluation.again(torrent.id);
    }
    const runs = [...stopped].map(([rule, torrents]) => this.#heldRun(rule, torrents));
    const all = [...runs, ...this.#runsOf(outcomes)];
    for (const run of all) this.deps.onRun(atWork.account.id, run);
    if (isUndone) await memory.save();
    await history.add(atWork.account.id, all);
  }

  /** False for an hour after the wall clock has jumped: a year that is wrong for a moment makes all torrents old. */
  #isClockBelieved(): boolean {
    const { now, nowMs } = this.deps;
    return this.#steady.isSteady(nowMs(), now() * SECOND_MS);
  }

  /** The rules that stop, with the torrents that they would have removed. */
  async #stopWhatRemovesTooMuch(deeds: readonly Deeds[]): Promise<Map<CompiledRule, Deeds['torrent'][]>> {
    const removals = removalsOf(deeds);
    const { automations, memory, log } = this.deps;
    for (const [rule, torrents] of removals) {
      if (memory.removedLately(rule.id) + torrents.length <= rule.maxRemovals) removals.delete(rule);
      else {
        await automations.stopItself(rule.id, torrents.length);
        log.info('automation stopped itself', { ruleId: rule.id, torrents: torrents.length });
      }
    }
    return removals;
  }

  /** null: by now there is nothing to be done. */
  async #do(
    { account: { id }, evaluation, recent }: AtWork,
    listed: Deeds['torrent'],
    step: Step,
    circumstances: Circumstances,
    isBegun: boolean,
  ): Promise<Outcome | null> {
    const { automations, accountOf, memory, library, now, nowMs } = this.deps;
    const { rule, action } = step;
    const { sight } = evaluation;
    const factsNow = () => {
      const torrent = sight.again(library.find(listed.id));
      return torrent && sight.share(torrent, rule.scope);
    };
    const budget = new TimeBudget(nowMs);
    for (let facts = factsNow(); facts && !rule.names.isAsked(facts); facts = factsNow())
      await rule.names.ask(facts, budget);
    const account = accountOf(id);
    // The torrent, the rule and the rights of its account may have changed since they were judged.
    if (!account || account !== sight.account || !automations.isCurrent(rule)) return null;
    const kind = kindOf(action);
    if (isOnce(action) && !memory.wasDone(rule, listed.id, kind)) return null;
    const torrent = sight.again(library.find(listed.id));
    const view = torrent && sight.viewsOf(torrent, { ...circumstances, now: now() })?.(rule.scope);
    if (!view) return null;
    const judged = { ...rule, forSeconds: 0, actions: [action], ...(isBegun && { when: ALWAYS }) };
    const plan = planFor([judged], () => view, NOTHING_REMEMBERED, new Due());
    if (plan.steps[0]?.outcome !== 'do') return null;
    const share = sight.refTo(view.subject.facts, rule.scope);
    try {
      await act(this.deps, action, { account, share, torrent: view.subject.facts });
      recent.noteActed(listed.id, kind, rule.id);
      return { step, torrent: view.subject.facts, failure: null };
    } catch (error) {
      recent.noteFailed(listed.id, kind, rule.id);
      return { step, torrent: view.subject.facts, failure: answerFor(error).body };
    }
  }

  #runsOf(outcomes: readonly Outcome[]): NewRun[] {
    const byRule = new Map<number, Map<TorrentId, AutomationRun['shown'][number]>>();
    for (const { step, torrent, failure } of outcomes) {
      const torrents = byRule.get(step.rule.id) ?? new Map<TorrentId, AutomationRun['shown'][number]>();
      byRule.set(step.rule.id, torrents);
      const before = torrents.get(torrent.id) ?? lineOf(torrent);
      torrents.set(
        torrent.id,
        failure ? { ...before, ...toldOf(failure) } : { ...before, actions: [...before.actions, step.action.action] },
      );
    }
    return [...byRule].map(([ruleId, torrents]) => {
      const shown = [...torrents.values()];
      const failed = shown.filter(({ error }) => error !== null).length;
      return { ruleId, at: this.deps.now(), kind: 'acted', torrents: shown.length, failed, shown };
    });
  }

  #heldRun({ id }: CompiledRule, torrents: readonly Deeds['torrent'][]): NewRun {
    const shown = torrents.map((torrent) => lineOf(torrent));
    return { ruleId: id, at: this.deps.now(), kind: 'held', torrents: torrents.length, failed: 0, shown };
  }

  #warn(message: string, error: unknown): void {
    this.deps.log.warn(message, { reason: String(error) });
  }
}

const ALWAYS: CompiledRule['when'] = { test: () => true, match: 'all', parts: [] };
const NOTHING_REMEMBERED: Remembered = {
  heldSince: () => null,
  wasDone: () => false,
  coolsUntil: () => 0,
  failedUntil: () => 0,
};

function toldOf({ error, ...reason }: ErrorAnswer['body']): Pick<AutomationRun['shown'][number], 'error' | 'reason'> {
  const { code, data } = reason;
  return { error, reason: code ? { code, ...(data && { data }) } : undefined };
}

function lineOf(torrent: Deeds['torrent']): AutomationRun['shown'][number] {
  return { id: torrent.id, name: shownName(torrent), actions: [], error: null };
}
