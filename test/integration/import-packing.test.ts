// The commands by which the page and docs/operate/import.md say that a state is packed: run in a home as each program has it, they make
// an archive in which its torrents are found, its configuration among them.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { PACKING } from '../../api/web/src/features/import/packing.js';
import { IMPORT_SOURCES, type ImportSource } from '../../shared-protocol/dto/imports.js';
import { startDaemon } from '../support/daemon.js';
import { importAll } from '../support/import/import-scene.js';
import { writeOldTorrents } from '../support/import/old-torrents.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { makeScratch } from '../support/peers/scratch.js';

const LAST_YEAR = 1_700_000_000;
const GUIDE = join(import.meta.dirname, '../../../docs/operate/import.md');

t.setTimeout(120_000);

/** Nothing of a pickle is run by the reader; the classes are named as Deluge names them. */
const DELUGE_STATE = `import pickle, sys, types
made = types.ModuleType("deluge.core.torrentmanager")
made.TorrentManagerState = type("TorrentManagerState", (), {"__module__": made.__name__})
sys.modules.update({"deluge": made, "deluge.core": made, made.__name__: made})
state = made.TorrentManagerState()
state.torrents = []
sys.stdout.buffer.write(pickle.dumps(state, 2))`;

const HOMES: Readonly<Record<ImportSource, (home: string) => Promise<void>>> = {
  async qbittorrent(home) {
    const data = join(home, '.local/share/qBittorrent');
    await writeOldTorrents(join(data, 'BT_backup'), '/downloads', [{ name: 'first.iso' }], LAST_YEAR);
    await writeTo(
      join(home, '.config/qBittorrent'),
      'qBittorrent.conf',
      '[BitTorrent]\nSession\\GlobalUPSpeedLimit=70\n',
    );
  },
  async transmission(home) {
    const data = join(home, '.config/transmission-daemon');
    for (const folder of ['torrents', 'resume']) await mkdir(join(data, folder), { recursive: true });
    // As the package of Debian has it.
    await writeTo(join(home, 'etc'), 'settings.json', '{"speed-limit-up": 70, "speed-limit-up-enabled": true}');
    await symlink(join(home, 'etc', 'settings.json'), join(data, 'settings.json'));
  },
  async deluge(home) {
    const data = join(home, '.config/deluge');
    await writeTo(join(data, 'state'), 'torrents.state', execFileSync('python3', ['-c', DELUGE_STATE]));
    await writeTo(data, 'core.conf', '{"file": 1, "format": 1}{"max_upload_speed": 70.0}');
  },
  async rtorrent(home) {
    const { infoHash, torrentBytes } = makeTorrent({ name: 'x', pieceLength: 16_384, files: seededBytes(1, 9) });
    const name = `${String(infoHash).toUpperCase()}.torrent`;
    await writeTo(join(home, '.session'), name, torrentBytes);
    await writeTo(join(home, '.session'), `${name}.rtorrent`, 'd9:directory10:/downloadse');
    await writeTo(home, '.rtorrent.rc', 'throttle.global_up.max_rate.set_kb = 70\n');
  },
};

void t.test('what is packed as it is said is found', async (t) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const guide = await readFile(GUIDE, 'utf8');
  for (const from of IMPORT_SOURCES) {
    const scratch = await makeScratch(`packing-${from}`);
    t.teardown(() => scratch.remove());
    const [home, elsewhere] = [join(scratch.path, 'home'), join(scratch.path, 'elsewhere')];
    await Promise.all([mkdir(home), mkdir(elsewhere)]);
    await HOMES[from](home);
    execFileSync('sh', ['-c', PACKING[from]], { cwd: elsewhere, env: { ...process.env, HOME: home } });
    const bytes = await readFile(join(elsewhere, `${from}.tar.gz`));
    const { json: sent } = await daemon.api<{ id: number }>('POST', '/api/import_archives', bytes);
    const report = await importAll(daemon, { from, archive: sent.id, dry_run: true, settings: true });
    const settings = [{ name: 'speed limit up', result: 'changed' }];
    t.match(report, { state: 'done', imported: ['qbittorrent', 'rtorrent'].includes(from) ? 1 : 0, settings }, from);
    t.ok(guide.includes(`\`${PACKING[from]}\``), `${from}: the guide says the same`);
  }
});

async function writeTo(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), content);
}
