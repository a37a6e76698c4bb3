// libtorrent 2 (qBittorrent, Deluge) by its Python binding: libtorrent_peer.py driven by JSON lines.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PYTHON, PythonSession } from './python-session.js';
import type { PeerClient, PeerProgram, PeerProgress, PeerStartOptions } from './types.js';
import { waitUntil } from './wait-until.js';

const SCRIPT = join('test', 'support', 'peers', 'libtorrent_peer.py');
const CHECK_TIMEOUT_MS = 60_000;

let available: boolean | null = null;

export const libtorrent: PeerProgram = {
  name: 'libtorrent',
  debianPackage: 'python3-libtorrent',
  isAvailable: () => (available ??= spawnSync(PYTHON, ['-c', 'import libtorrent']).status === 0),
  start: startLibtorrent,
};

async function startLibtorrent({
  encryption,
  pex = false,
  uploadBytesPerSec = 0,
  host = '127.0.0.1',
  launcher = [],
}: PeerStartOptions = {}): Promise<PeerClient> {
  const session = await PythonSession.start('libtorrent', SCRIPT, { launcher });
  const { port } = await session.call('start', { ...(encryption ? { encryption } : {}), pex, uploadBytesPerSec, host });
  if (typeof port !== 'number') throw new Error('libtorrent: no port');
  const progress = async (): Promise<PeerProgress> => readProgress(await session.call('status'));
  return {
    port,
    address: `${host}:${port}`,
    async seed(torrentBytes, directory) {
      await session.call('add', { torrent: Buffer.from(torrentBytes).toString('base64'), directory });
      let last = '';
      await waitUntil(
        'libtorrent seeding',
        CHECK_TIMEOUT_MS,
        async () => {
          const seen = await progress();
          last = JSON.stringify(seen);
          return seen.isSeeding || undefined;
        },
        () => last,
      );
    },
    async leech(source, directory) {
      const torrent =
        typeof source === 'string' ? { magnet: source } : { torrent: Buffer.from(source).toString('base64') };
      await session.call('add', { ...torrent, directory });
    },
    addPeer: async (peerPort) => void (await session.call('connect', { port: peerPort })),
    progress,
    close: () => session.close(),
  };
}

function readProgress(status: Readonly<Record<string, unknown>>): PeerProgress {
  const { bytesDone, totalBytes, isSeeding, peers, encryptedPeers, error } = status;
  if (error) throw new Error(`libtorrent: ${String(error)}`);
  return {
    bytesDone: Number(bytesDone),
    totalBytes: Number(totalBytes),
    isSeeding: isSeeding === true,
    peers: Number(peers),
    encryptedPeers: Number(encryptedPeers),
  };
}
