// The files of a folder that go into an archive, of an engine that knows two.
import t from 'tap';
import { ZippedFiles, type ZippedFilesDeps } from '../../../../../api/services/library/zipped-files.js';
import { parseAccountId, parseInfoHash } from '../../../../../shared-protocol/ids.js';

const ACCOUNT = parseAccountId(2);
const SHARE = { id: parseInfoHash('a'.repeat(40)), by: ACCOUNT };
const FILES = ['pack/extras/sound', 'pack/film'].map((path, index) => ({
  ...{ index, path, sizeBytes: 1, bytesDone: 1, priority: 'normal', isPad: false },
}));

const zipped = new ZippedFiles({
  engine: { client: { inspectTorrent: async () => ({ files: FILES, filesGiven: { from: 0, total: 2 } }) } },
} as unknown as ZippedFilesDeps);
const namesIn = async (folder: string) => (await zipped.inFolder(SHARE, folder, ACCOUNT)).map(({ name }) => name);

void t.test('slashes around a folder say nothing, however many there are', async (t) => {
  t.same(await namesIn(''), ['pack/extras/sound', 'pack/film']);
  t.same(await namesIn('pack/extras'), ['extras/sound']);
  t.same(await namesIn('//pack/extras//'), ['extras/sound']);
  // Each of them was the beginning of a look for the end.
  await t.rejects(namesIn(`a${'/'.repeat(1_000_000)}b`), { code: 'NOT_FOUND' });
});
