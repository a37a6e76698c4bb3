// Torrent files that are cut out of JSON while it comes, wherever it is cut into chunks.
import t from 'tap';
import { MetainfoCutter } from '../../../../../api/compatible/transmission/metainfo-cutter.js';
import { RequestError } from '../../../../../api/errors.js';
import { seededBytes } from '../../../../support/make-torrent.js';

class MemoryFile {
  #bytes = Buffer.alloc(0);

  get length(): number {
    return this.#bytes.length;
  }

  append(chunk: Uint8Array): Promise<void> {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    return Promise.resolve();
  }

  whole(): Promise<Uint8Array> {
    return Promise.resolve(this.#bytes);
  }

  discard(): Promise<void> {
    return Promise.resolve();
  }
}

async function cut(json: string, chunkLength = Infinity) {
  const cutter = new MetainfoCutter(() => new MemoryFile());
  const bytes = Buffer.from(json);
  for (let at = 0; at < bytes.length; at += chunkLength) {
    await cutter.push(bytes.subarray(at, Math.min(bytes.length, at + chunkLength)));
  }
  return { rest: cutter.rest(), files: (await cutter.files()).map((file) => Buffer.from(file).toString('hex')) };
}

const FILE = Buffer.from(seededBytes(1, 1000));
const BASE64 = FILE.toString('base64');
const HEX = FILE.toString('hex');

void t.test('the file is decoded, and its place left in its stead', async (t) => {
  const spellings = {
    plain: BASE64,
    'escaped slashes': BASE64.replaceAll('/', '\\/'),
    'escaped codes': BASE64.replaceAll('=', '\\u003d').replaceAll('+', '\\u002B'),
    lines: BASE64.replace(/.{76}/g, '$&\\r\\n'),
    'the alphabet of URLs': FILE.toString('base64url'),
  };
  for (const [name, written] of Object.entries(spellings)) {
    const json = `{"method":"torrent-add","arguments":{ "metainfo" : "${written}", "paused":true},"tag":1}`;
    for (const chunkLength of [1, 3, 7, 64, Infinity]) {
      const { rest, files } = await cut(json, chunkLength);
      t.same(files, [HEX], `${name} in chunks of ${chunkLength}`);
      t.same(JSON.parse(rest), { method: 'torrent-add', arguments: { metainfo: '0', paused: true }, tag: 1 });
    }
  }
});

void t.test('texts that are no file stay as they are', async (t) => {
  const values = [
    { metainfo: 5 },
    { metainfo: { metainfo: ['metainfo'] } },
    { x: 'metainfo', y: 'a"metainfo":"b' },
    { '"metainfo': 'c', 'metainfo"': 'd', xmetainfo: 'e', metainfos: 'f', '\\metainfo': 'g' },
    ['metainfo', 'h', ':', 'i'],
    { x: '\\', y: '\\\\"', z: 'ünï' },
  ];
  for (const value of values) {
    const json = JSON.stringify(value);
    for (const chunkLength of [1, 2, 5, Infinity]) t.same(await cut(json, chunkLength), { rest: json, files: [] });
  }
});

void t.test('several files have places of their own', async (t) => {
  const json = `[{"metainfo":"${BASE64}"},{"metainfo":""},{"metainfo":"${Buffer.from('x').toString('base64')}"}]`;
  const { rest, files } = await cut(json, 10);
  t.same(JSON.parse(rest), [{ metainfo: '0' }, { metainfo: '1' }, { metainfo: '2' }]);
  t.same(files, [HEX, '', '78']);
});

void t.test('bounds', async (t) => {
  const refused = (json: string, code: string) =>
    t.rejects(cut(json, 65_536), Object.assign(new RequestError('BODY_INVALID'), { code, message: String }));
  await refused('['.repeat(33), 'BODY_INVALID');
  await refused(`[${'{"metainfo":""},'.repeat(65)}`, 'BODY_INVALID');
  await refused('x'.repeat(1024 * 1024 + 1), 'BODY_TOO_LARGE');
  await refused(`{"metainfo":"${'A'.repeat(14 * 1024 * 1024)}"}`, 'UPLOAD_TOO_LARGE');
  t.match(await cut(`${'[]'.repeat(100)}`), { files: [] });
});
