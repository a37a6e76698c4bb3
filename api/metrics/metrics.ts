// What Prometheus is told (docs/semantics.md section 12), made when it asks and not before: who has none does not even
// load the library. The names are stable; what they mean stands beside them.
import type client from 'prom-client';
import type { EngineHealth as EngineFigures } from '../../shared-protocol/commands/engine-options.js';
import type { EngineState, Engines } from '../engines/engines.js';
import type { EngineHealth } from '../services/engine-health.js';
import type { Library } from '../services/library/library.js';
import type { RemoteFigures } from '../services/remotes/remotes.js';
import { takeCensus, TORRENT_STATES, type Census } from './census.js';

export interface MetricsDeps {
  readonly library: Pick<Library, 'all' | 'stats'>;
  readonly engineHealth: Pick<EngineHealth, 'check'>;
  readonly engines: Pick<Engines, 'states'>;
  readonly sessions: { readonly size: number };
  readonly remotes: { figures(): readonly RemoteFigures[] };
  readonly version: string;
}

export interface Scrape {
  readonly contentType: string;
  /** In the text format, version 0.0.4. */
  readonly text: string;
}

/** Name, help and value; a counter never goes down while the process lives. */
type Row<From> = readonly [kind: 'gauge' | 'counter', name: string, help: string, value: (from: From) => number];

const OF_TORRENTS: readonly Row<Census>[] = [
  ['gauge', 'swarmd_torrents_failed', 'Torrents that stopped with an error', ({ failed }) => failed],
  ['gauge', 'swarmd_torrents_size_bytes', 'Size of all torrents', ({ totalBytes }) => totalBytes],
  ['gauge', 'swarmd_torrents_verified_bytes', 'Bytes of them in verified pieces', ({ bytesDone }) => bytesDone],
  // They go down when a torrent is removed.
  ['gauge', 'swarmd_torrents_downloaded_bytes', 'Payload that they ever downloaded', ({ downloaded }) => downloaded],
  ['gauge', 'swarmd_torrents_uploaded_bytes', 'Payload that they ever uploaded', ({ uploaded }) => uploaded],
  ['gauge', 'swarmd_download_bytes_per_second', 'Payload downloaded at the moment', ({ downloadRate }) => downloadRate],
  ['gauge', 'swarmd_upload_bytes_per_second', 'Payload uploaded at the moment', ({ uploadRate }) => uploadRate],
  ['gauge', 'swarmd_peers', 'Connected peers, once for each torrent', ({ peers }) => peers],
];

const OF_ENGINE: readonly Row<EngineFigures>[] = [
  ['gauge', 'swarmd_engine_uptime_seconds', 'Age of the engine thread', ({ uptimeMs }) => uptimeMs / 1_000],
  [
    'gauge',
    'swarmd_engine_loop_delay_p99_seconds',
    'How late its event loop was since it was asked last, 99th percentile',
    ({ loopDelayP99Ms }) => loopDelayP99Ms / 1_000,
  ],
  ['gauge', 'swarmd_engine_connections', 'Open connections to peers', ({ connections }) => connections],
  ['gauge', 'swarmd_engine_slab_used_bytes', 'Piece buffer in use', ({ slabUsedBytes }) => slabUsedBytes],
  ['counter', 'swarmd_engine_bans_total', 'Peers and web seeds banned since it started', ({ bans }) => bans],
  ['counter', 'swarmd_engine_failed_pieces_total', 'Downloaded pieces with a wrong hash', (from) => from.failedPieces],
  ['counter', 'swarmd_engine_wasted_bytes_total', 'Bytes in those pieces', ({ wastedBytes }) => wastedBytes],
];

type Client = typeof client;

export class Metrics {
  #opened: Promise<{ readonly client: Client; readonly process: client.Registry }> | null = null;

  constructor(private readonly deps: MetricsDeps) {}

  /** Returns the figures of the moment. Without an engine `swarmd_engine_up` is 0, and there is nothing else of it. */
  async scrape(): Promise<Scrape> {
    const { client, process } = await (this.#opened ??= openClient());
    const { library, engineHealth, engines, sessions, remotes, version } = this.deps;
    const engine = await engineHealth.check().catch(() => null);
    const census = await takeCensus([...library.all], library.stats);
    const registry = new client.Registry();
    const registers = [registry];
    const build = { name: 'swarmd_info', help: 'The version that runs', labelNames: ['version'], registers };
    new client.Gauge(build).set({ version }, 1);
    const states = { name: 'swarmd_torrents', help: 'Torrents by state', labelNames: ['state'], registers };
    const torrents = new client.Gauge(states);
    for (const state of TORRENT_STATES) torrents.set({ state }, census.states[state]);
    addRows(client, registry, OF_TORRENTS, census);
    new client.Gauge({ name: 'swarmd_sessions', help: 'Signed-in browsers', registers }).set(sessions.size);
    addEngines(client, registry, engines.states, engine !== null);
    if (engine) addRows(client, registry, OF_ENGINE, engine);
    addRemotes(client, registry, remotes.figures());
    const all = client.Registry.merge([registry, process]);
    return { contentType: all.contentType, text: await all.metrics() };
  }
}

async function openClient(): Promise<{ readonly client: Client; readonly process: client.Registry }> {
  const { default: client } = await import('prom-client');
  const process = new client.Registry();
  client.collectDefaultMetrics({ register: process });
  return { client, process };
}

/** One alone has no name. */
function addEngines(
  client: Client,
  registry: client.Registry,
  states: readonly EngineState[],
  isAnswering: boolean,
): void {
  const common = { name: 'swarmd_engine_up', help: '1 while the engine answers', registers: [registry] };
  if (states.length === 0) return new client.Gauge(common).set(isAnswering ? 1 : 0);
  const up = new client.Gauge({ ...common, labelNames: ['engine'] });
  for (const { name, awaySinceMs } of states) up.set({ engine: name }, awaySinceMs === null ? 1 : 0);
}

function addRemotes(client: Client, registry: client.Registry, remotes: readonly RemoteFigures[]): void {
  if (remotes.length === 0) return;
  const common = { labelNames: ['name'], registers: [registry] };
  const up = new client.Gauge({ ...common, name: 'swarmd_remote_up', help: '1 while the remote is connected' });
  const age = new client.Gauge({
    ...common,
    name: 'swarmd_remote_delta_age_seconds',
    help: 'How old the last word of the remote about its torrents is',
  });
  for (const { name, isUp, heardMsAgo } of remotes) {
    up.set({ name }, isUp ? 1 : 0);
    if (heardMsAgo !== null) age.set({ name }, heardMsAgo / 1_000);
  }
}

function addRows<From>(client: Client, registry: client.Registry, rows: readonly Row<From>[], from: From): void {
  for (const [kind, name, help, value] of rows) {
    const options = { name, help, registers: [registry] };
    if (kind === 'gauge') new client.Gauge(options).set(value(from));
    else new client.Counter(options).inc(value(from));
  }
}
