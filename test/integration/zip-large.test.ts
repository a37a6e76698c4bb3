// An archive of more than 4 GiB from a whole daemon: Zip64, and its end read by ranges.
import { execFile } from 'node:child_process';
import { appendFile, mkdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { linkTo } from '../support/zip-link.js';
import { waitUntil } from '../support/peers/wait-until.js';

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;

t.setTimeout(300_000);

const READ_TAIL = `
import io, json, sys, urllib.request, zipfile
class Remote(io.RawIOBase):
    def __init__(self, url):
        self.url, self.at = url, 0
        self.size = int(urllib.request.urlopen(urllib.request.Request(url, method='HEAD')).headers['content-length'])
    def seekable(self): return True
    def readable(self): return True
    def tell(self): return self.at
    def seek(self, offset, whence=0):
        self.at = offset + (0, self.at, self.size)[whence]
        return self.at
    def read(self, count=-1):
        end = self.size if count < 0 else min(self.size, self.at + count)
        if end <= self.at: return b''
        headers = {'range': 'bytes=%d-%d' % (self.at, end - 1)}
        data = urllib.request.urlopen(urllib.request.Request(self.url, headers=headers)).read()
        self.at += len(data)
        return data
archive = zipfile.ZipFile(Remote(sys.argv[1]))
sizes = {i.filename: i.file_size for i in archive.infolist()}
print(json.dumps([sizes, archive.read('huge/z-behind').decode()]))
`;

void t.test('more than 4 GiB: Zip64, read from its end by ranges', async (t) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const folder = join(daemon.savePath, 'huge');
  const size = 2 ** 32 + 12_345;
  await mkdir(folder);
  await writeFile(join(folder, 'a-large'), '');
  await truncate(join(folder, 'a-large'), size - 3);
  await appendFile(join(folder, 'a-large'), 'end');
  await writeFile(join(folder, 'z-behind'), 'small');
  t.ok((await stat(join(folder, 'a-large'))).blocks < 1_000, 'a hole for the most part');
  const { json } = await daemon.api<{ readonly id: number }>('POST', '/api/create', { path: 'huge', seed: true });
  const id = await waitUntil('it to be made', TIMEOUT_MS, async () => {
    const { json: now } = await daemon.api<{ torrent_id: string | null; error: string | null }>(
      'GET',
      `/api/create/${json.id}`,
    );
    if (now.error !== null) throw new Error(now.error);
    return now.torrent_id ?? undefined;
  });
  const { stdout } = await run('python3', ['-c', READ_TAIL, await linkTo(daemon, id)]);
  t.same(JSON.parse(stdout), [{ 'huge/a-large': size, 'huge/z-behind': 5 }, 'small']);
});
