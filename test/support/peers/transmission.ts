// transmission-daemon in the foreground with a configuration directory of its own, driven over its RPC. It cannot be
// told of a peer: it is connected to, or asks a tracker.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.js';
import { startChild } from './child-process.js';
import { makeScratch } from './scratch.js';
import type { PeerClient, PeerProgram, PeerProgress, PeerStartOptions } from './types.js';
import { waitUntil } from './wait-until.js';

const START_TIMEOUT_MS = 10_000;
const CHECK_TIMEOUT_MS = 60_000;
const SESSION_HEADER = 'x-transmission-session-id';
/** RPC specification: `tr_torrent_activity`. */
const STATUS_SEEDING = 6;
/** `tr_encryption_mode`. Tolerated: dials plain, accepts both; it cannot refuse encrypted connections. */
const ENCRYPTION = { tolerated: 0, required: 2 } as const;
const FIELDS = [
  'status',
  'haveValid',
  'sizeWhenDone',
  'leftUntilDone',
  'peersConnected',
  'peers',
  'errorString',
  'metadataPercentComplete',
];

interface TorrentFields {
  readonly status: number;
  readonly haveValid: number;
  readonly sizeWhenDone: number;
  readonly leftUntilDone: number;
  readonly peersConnected: number;
  readonly peers: readonly { readonly isEncrypted: boolean }[];
  readonly errorString: string;
  readonly metadataPercentComplete: number;
}

let available: boolean | null = null;

export const transmission: PeerProgram = {
  name: 'Transmission',
  debianPackage: 'transmission-daemon',
  isAvailable: () => (available ??= spawnSync('transmission-daemon', ['--version']).status === 0),
  start: startTransmission,
};

async function startTransmission(options: PeerStartOptions = {}): Promise<PeerClient> {
  const home = await makeScratch('transmission');
  const port = await freePort();
  const rpcPort = await freePort();
  await writeFile(
    join(home.path, 'settings.json'),
    JSON.stringify(transmissionSettings(home.path, port, rpcPort, options)),
  );
  const child = await startChild('transmission-daemon', ['--foreground', '--config-dir', home.path], {
    // Its curl would take these for the announces too.
    env: { http_proxy: undefined, HTTP_PROXY: undefined, all_proxy: undefined, ALL_PROXY: undefined },
  });
  const rpc = new Rpc(rpcPort);
  await waitUntil('Transmission answering', START_TIMEOUT_MS, () =>
    rpc.call('session-get').catch(() => {
      if (!child.isRunning) throw new Error(`Transmission has ended. ${child.stderr}`);
      return undefined;
    }),
  );

  const progress = async (): Promise<PeerProgress> => {
    const { torrents } = await rpc.call<{ readonly torrents: readonly TorrentFields[] }>('torrent-get', {
      fields: FIELDS,
    });
    const [torrent] = torrents;
    if (!torrent) throw new Error('Transmission: no torrent');
    if (torrent.errorString) throw new Error(`Transmission: ${torrent.errorString}`);
    const isComplete = torrent.metadataPercentComplete === 1 && torrent.leftUntilDone === 0;
    return {
      bytesDone: torrent.haveValid,
      totalBytes: torrent.sizeWhenDone,
      isSeeding: torrent.status === STATUS_SEEDING && isComplete,
      peers: torrent.peersConnected,
      encryptedPeers: torrent.peers.filter(({ isEncrypted }) => isEncrypted).length,
    };
  };
  const leech = async (source: Uint8Array | string, directory: string): Promise<void> => {
    const torrent =
      typeof source === 'string' ? { filename: source } : { metainfo: Buffer.from(source).toString('base64') };
    await rpc.call('torrent-add', { ...torrent, 'download-dir': directory, paused: false });
  };
  return {
    port,
    address: `127.0.0.1:${port}`,
    async seed(torrentBytes, directory) {
      await leech(torrentBytes, directory);
      await waitUntil('Transmission seeding', CHECK_TIMEOUT_MS, async () => (await progress()).isSeeding || undefined);
    },
    leech,
    addPeer: null,
    progress,
    async close() {
      await child.stop();
      await home.remove();
    },
  };
}

/** `home`: where its downloads go. */
export function transmissionSettings(
  home: string,
  port: number,
  rpcPort: number,
  { encryption, pex = false }: PeerStartOptions = {},
): Readonly<Record<string, unknown>> {
  return {
    'bind-address-ipv4': '127.0.0.1',
    'bind-address-ipv6': '::1',
    'peer-port': port,
    'rpc-bind-address': '127.0.0.1',
    'rpc-port': rpcPort,
    'download-dir': home,
    'incomplete-dir-enabled': false,
    'dht-enabled': false,
    'lpd-enabled': false,
    'pex-enabled': pex,
    'utp-enabled': false,
    'port-forwarding-enabled': false,
    'speed-limit-down-enabled': false,
    'speed-limit-up-enabled': false,
    'rename-partial-files': false,
    encryption: encryption === 'required' ? ENCRYPTION.required : ENCRYPTION.tolerated,
  };
}

class Rpc {
  #sessionId = '';

  constructor(private readonly port: number) {}

  async call<Result = unknown>(method: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Result> {
    const response = await this.#post(JSON.stringify({ method, arguments: fields }));
    const body = (await response.json()) as { readonly result: string; readonly arguments: Result };
    if (body.result !== 'success') throw new Error(`Transmission: ${method}: ${body.result}`);
    return body.arguments;
  }

  /** Its protection against forged requests: 409 names the session id to repeat the call with. */
  async #post(body: string): Promise<Response> {
    const url = `http://127.0.0.1:${this.port}/transmission/rpc`;
    const send = (): Promise<Response> =>
      fetch(url, { method: 'POST', body, headers: { [SESSION_HEADER]: this.#sessionId } });
    const response = await send();
    if (response.status !== 409) return response;
    this.#sessionId = response.headers.get(SESSION_HEADER) ?? '';
    await response.body?.cancel();
    return send();
  }
}
