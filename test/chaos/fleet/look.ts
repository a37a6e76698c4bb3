// Whether a fleet is whole: all engines are there, all fronts show the same, and that is what was promised.
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineDto } from '../../../shared-protocol/dto/engines.js';
import type { CategoryDto } from '../../../shared-protocol/dto/labels.js';
import type { TorrentDto } from '../../../shared-protocol/dto/torrents.js';
import type { FleetUnderTest } from '../../support/fleet.js';
import { LISTED_ATTRIBUTES } from '../attributes.js';
import { LISTED_NAMES, type FleetModel, type View } from './model.js';

/** Beyond that a fleet that is late is told from one that has lost something. */
const GIVE_UP_MS = 90_000;
const LOOK_MS = 100;
/** Categories that attributes of torrents refer to. */
const PRESET = /^preset /;

export interface Wholeness {
  readonly tookMs: number;
  /** What was amiss when it should have been whole. */
  readonly late: readonly string[];
  /** What was when it was given up. */
  readonly amiss: readonly string[];
}

export interface Healed {
  /** On the clock of performance. */
  readonly atMs: number;
  /** How long it may take from then on. */
  readonly withinMs: number;
}

/** Resolves when it is whole, or given up. */
export async function wholeAfter(
  fleet: FleetUnderTest,
  model: FleetModel,
  { atMs, withinMs }: Healed,
): Promise<Wholeness> {
  let late: readonly string[] = [];
  for (;;) {
    const { views, amiss } = await lookAt(fleet, model);
    const tookMs = performance.now() - atMs;
    const [view] = views;
    if (view && amiss.length === 0) model.learn(view);
    if (tookMs > withinMs && late.length === 0) late = amiss;
    if (amiss.length === 0 || tookMs > Math.max(GIVE_UP_MS, withinMs)) return { tookMs, late, amiss };
    await sleep(LOOK_MS);
  }
}

/** `amiss`: nothing where the fleet is whole. */
async function lookAt(fleet: FleetUnderTest, model: FleetModel) {
  const amiss: string[] = [];
  const views: View[] = [];
  for (const [front, { name }] of fleet.fronts.entries()) {
    try {
      const { json: engines } = await fleet.admin(front).api<EngineDto[]>('GET', '/api/engines');
      const away = engines.filter(({ away_since }) => away_since !== null);
      amiss.push(...away.map((engine) => `${name}: ${engine.name} is away: ${engine.reason}`));
      amiss.push(...(await unanswered(fleet, front)).map((line) => `${name}: ${line}`));
      const view = await viewOf(fleet, front);
      amiss.push(...model.differences(view).map((line) => `${name}: ${line}`));
      views.push(view);
    } catch (error) {
      amiss.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const [first, ...others] = views.map(textOf);
  if (others.some((text) => text !== first)) amiss.push('the fronts show different things');
  amiss.push(...fleet.ofSeveralEngines().map((id) => `${id}: it is more than one engine's`));
  if (fleet.leading.size !== 1) amiss.push(`${[...fleet.leading].join(' and ') || 'no front'} leads`);
  return { views, amiss };
}

/** Whatever a front has asked of an engine before is done, or will never be, once that answers what it is asked now. */
async function unanswered(fleet: FleetUnderTest, front: number): Promise<string[]> {
  const amiss: string[] = [];
  for (const [account, { name }] of fleet.engines.entries()) {
    const path = `/api/paths?prefix=${encodeURIComponent(`${fleet.homeOf(account)}/`)}`;
    const { status } = await fleet.account(account, front).api('GET', path);
    if (status !== 200) amiss.push(`${name} does not answer (${status})`);
  }
  return amiss;
}

async function viewOf(fleet: FleetUnderTest, front: number): Promise<View> {
  const torrents: TorrentDto[][] = [];
  for (const account of fleet.engines.keys()) {
    torrents.push((await fleet.account(account, front).api<TorrentDto[]>('GET', '/api/torrents')).json);
  }
  const { json } = await fleet.admin(front).api<CategoryDto[]>('GET', '/api/categories');
  return { torrents, categories: json.filter(({ name }) => !PRESET.test(name)) };
}

/** What both fronts have to show alike. */
function textOf({ torrents, categories }: View): string {
  const seen = torrents.map((list) =>
    list
      .map((torrent) => [torrent.id, ...LISTED_NAMES.map((name) => LISTED_ATTRIBUTES[name].seen(torrent))].join(' '))
      .sort(),
  );
  return JSON.stringify([seen, categories.map(({ id, name }) => `${id} ${name}`).sort()]);
}
