// aria2, driven over its JSON-RPC. It cannot be told of a peer: it is connected to, or asks a tracker.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { freePort } from '../free-port.js';
import { startChild } from './child-process.js';
import { makeScratch } from './scratch.js';
import type { PeerClient, PeerProgram, PeerProgress, PeerStartOptions } from './types.js';
import { waitUntil } from './wait-until.js';

const START_TIMEOUT_MS = 10_000;
const CHECK_TIMEOUT_MS = 60_000;
const STATUS_KEYS = ['status', 'completedLength', 'totalLength', 'connections', 'seeder', 'followedBy', 'errorMessage'];

interface Status {
  readonly status: string;
  readonly completedLength: string;
  readonly totalLength: string;
  readonly connections?: string;
  readonly seeder?: string;
  /** The download that a magnet link became. */
  readonly followedBy?: readonly string[];
  readonly errorMessage?: string;
}

let available: boolean | null = null;

export const aria2: PeerProgram = {
  name: 'aria2',
  debianPackage: 'aria2',
  isAvailable: () => (available ??= spawnSync('aria2c', ['--version']).status === 0),
  start: startAria2,
};

async function startAria2(options: PeerStartOptions = {}): Promise<PeerClient> {
  const home = await makeScratch('aria2');
  const port = await freePort();
  const rpcPort = await freePort();
  const secret = randomBytes(16).toString('hex');
  const child = await startChild('aria2c', argumentsFor(port, rpcPort, secret, options), {
    cwd: home.path,
    env: { HOME: home.path, http_proxy: undefined, HTTP_PROXY: undefined, all_proxy: undefined, ALL_PROXY: undefined },
  });
  const rpc = <Result>(method: string, ...params: readonly unknown[]): Promise<Result> =>
    callRpc<Result>(rpcPort, method, [`token:${secret}`, ...params]);
  await waitUntil('aria2 answering', START_TIMEOUT_MS, () =>
    rpc('aria2.getVersion').catch(() => {
      if (!child.isRunning) throw new Error(`aria2 has ended. ${child.stderr}`);
      return undefined;
    }),
  );

  let gid = '';
  const progress = async (): Promise<PeerProgress> => {
    const status = await rpc<Status>('aria2.tellStatus', gid, STATUS_KEYS);
    if (status.errorMessage) throw new Error(`aria2: ${status.errorMessage}`);
    gid = status.followedBy?.[0] ?? gid;
    return {
      bytesDone: Number(status.completedLength),
      totalBytes: Number(status.totalLength),
      isSeeding: status.seeder === 'true' && status.completedLength === status.totalLength,
      peers: Number(status.connections ?? 0),
      encryptedPeers: null,
    };
  };
  const add = async (source: Uint8Array | string, options: Readonly<Record<string, string>>): Promise<void> => {
    gid =
      typeof source === 'string'
        ? await rpc<string>('aria2.addUri', [source], options)
        : await rpc<string>('aria2.addTorrent', Buffer.from(source).toString('base64'), [], options);
  };
  return {
    port,
    address: `127.0.0.1:${port}`,
    async seed(torrentBytes, directory) {
      await add(torrentBytes, { dir: directory, 'check-integrity': 'true' });
      await waitUntil('aria2 seeding', CHECK_TIMEOUT_MS, async () => (await progress()).isSeeding || undefined);
    },
    leech: (source, directory) => add(source, { dir: directory }),
    addPeer: null,
    progress,
    async close() {
      await child.stop();
      await home.remove();
    },
  };
}

function argumentsFor(
  port: number,
  rpcPort: number,
  secret: string,
  { encryption, pex = false }: PeerStartOptions,
): string[] {
  return [
    '--no-conf=true',
    '--quiet=true',
    '--enable-rpc=true',
    '--rpc-listen-all=false',
    `--rpc-listen-port=${rpcPort}`,
    `--rpc-secret=${secret}`,
    `--listen-port=${port}`,
    '--interface=127.0.0.1',
    '--disable-ipv6=true',
    '--enable-dht=false',
    '--enable-dht6=false',
    '--bt-enable-lpd=false',
    `--enable-peer-exchange=${pex}`,
    // Otherwise it dials with MSE first and then without, and accepts both; it cannot refuse encrypted connections.
    `--bt-force-encryption=${encryption === 'required'}`,
    '--file-allocation=none',
    '--follow-torrent=mem',
    // Ratio 0: seeds until it is ended.
    '--seed-ratio=0.0',
    // Not left behind by a test that was killed.
    `--stop-with-process=${process.pid}`,
  ];
}

async function callRpc<Result>(port: number, method: string, params: readonly unknown[]): Promise<Result> {
  const response = await fetch(`http://127.0.0.1:${port}/jsonrpc`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as {
    readonly result?: Result;
    readonly error?: { readonly message: string };
  };
  if (result === undefined) throw new Error(`aria2: ${method}: ${error?.message ?? 'no result'}`);
  return result;
}
