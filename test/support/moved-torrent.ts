// Three daemons, a tracker and a torrent that lies whole at one of them, to be moved to another.
import { join } from 'node:path';
import type { Test } from 'tap';
import type { ServerMoveDto } from '../../shared-protocol/dto/server-moves.js';
import { startDaemon, type DaemonUnderTest } from './daemon.js';
import { startHttpTracker } from './http-tracker.js';
import { digestsOf, writePayload, type Payload } from './peers/payload.js';
import { waitUntil } from './peers/wait-until.js';
import { addRemote, keyOf, untilListed, untilState, type ServerTorrent } from './remotes.js';
import { temporaryDirectory } from './temporary-directory.js';

const TIMEOUT_MS = 120_000;

/** A daemon that is started again on its state and at its port, with what is known of it. */
export class Restarted {
  private constructor(
    readonly state: { readonly dataDir: string; readonly savePath: string },
    public daemon: DaemonUnderTest,
  ) {}

  static async start(): Promise<Restarted> {
    const state = { dataDir: await temporaryDirectory(), savePath: await temporaryDirectory() };
    return new Restarted(state, await startDaemon(state));
  }

  /** SIGKILL, and another start. */
  async killed(): Promise<void> {
    const { port } = new URL(this.daemon.url);
    await this.daemon.kill();
    this.daemon = await startDaemon({ ...this.state, args: ['--port', port] });
  }
}

/** `front` has `one` and `two` as remotes. */
export async function startThree(t: Test) {
  const servers = { front: await Restarted.start(), one: await Restarted.start(), two: await Restarted.start() };
  t.teardown(() => Promise.all(Object.values(servers).map(({ daemon }) => daemon.stop())));
  const tracker = await startHttpTracker();
  t.teardown(() => tracker.close());
  const ids: Record<string, number> = {};
  for (const name of ['one', 'two'] as const) {
    const { daemon } = servers[name];
    ids[name] = await addRemote(servers.front.daemon, { name, url: daemon.url, api_key: await keyOf(daemon, 'front') });
    await untilState(servers.front.daemon, ids[name], 'connected');
  }
  return { servers, tracker, one: ids['one']!, two: ids['two']! };
}

/** A torrent whose data lie at the daemon, seeding and announced. */
export async function seedAt(
  { daemon, state }: Restarted,
  announceUrl: string,
  bytes: number,
  seed: number,
  fields: Readonly<Record<string, string>> = {},
): Promise<Payload> {
  const payload = await writePayload(state.savePath, bytes, 64 * 1024, seed);
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(payload.torrent([announceUrl]))]), 'a.torrent');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const { status, json } = await daemon.api('POST', '/api/torrents/file', form);
  if (status !== 200) throw new Error(`not added: ${JSON.stringify(json)}`);
  await daemon.waitFor(payload.infoHash, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  return payload;
}

/** Begins a move once the front knows that all of the torrent is there, and reaches both; its id. */
export async function beginMove(
  { daemon }: { readonly daemon: Pick<DaemonUnderTest, 'api'> },
  { infoHash }: Payload,
  move: { readonly from: number | null; readonly to: number | null; readonly [field: string]: unknown },
): Promise<number> {
  const isThere = ({ id, server_id, completed, verifying }: ServerTorrent): boolean =>
    id === infoHash && (server_id ?? null) === move.from && completed && !verifying;
  await untilListed(daemon, 'the source is known', (torrents) => torrents.some(isThere));
  return waitUntil('both are reached', TIMEOUT_MS, async () => {
    const { status, json } = await daemon.api('POST', '/api/server_moves', { ...move, infohash: infoHash });
    if (json['code'] === 'REMOTE_AWAY') return undefined;
    if (status !== 200) throw new Error(`no move: ${JSON.stringify(json)}`);
    return Number(json['id']);
  });
}

export async function movesOf(daemon: Pick<DaemonUnderTest, 'api'>): Promise<readonly ServerMoveDto[]> {
  return (await daemon.api<ServerMoveDto[]>('GET', '/api/server_moves')).json;
}

/** The move once it is as it should be. */
export function untilMove(
  front: () => Pick<DaemonUnderTest, 'api'>,
  id: number,
  what: string,
  isSo: (move: ServerMoveDto) => boolean,
): Promise<ServerMoveDto> {
  let last = '';
  return waitUntil(
    `move ${id}: ${what}`,
    TIMEOUT_MS,
    async () => {
      const move = (await movesOf(front())).find((each) => each.id === id);
      last = JSON.stringify(move);
      return move && isSo(move) ? move : undefined;
    },
    () => last,
  );
}

/** Whether all of it lies there, byte for byte. */
export async function hasAll({ state }: Restarted, payload: Payload): Promise<boolean> {
  const found = await digestsOf(payload, state.savePath).catch(() => ({}));
  return (
    JSON.stringify(Object.entries(found).toSorted()) === JSON.stringify(Object.entries(payload.digests).toSorted())
  );
}

/** The folder that the payload has at a server. */
export function folderAt({ state }: Restarted, payload: Payload): string {
  return join(state.savePath, payload.name);
}
