// The archive that torrent files are saved in, as another program reads it.
import { crc32 } from 'node:zlib';
import t from 'tap';
import { fromBufferPromise } from 'yauzl';
import { zipOf } from '../../../../api/web/src/actions/zip.js';

void t.test('each file is there under its name, as it was', async (t) => {
  const given = new Map([
    ['Über 東京.torrent', new TextEncoder().encode('d4:infod6:lengthi1eee')],
    ['empty', new Uint8Array(0)],
    ['large', new Uint8Array(300_000).fill(7)],
  ]);
  const zip = zipOf([...given].map(([name, bytes]) => ({ name, bytes })));
  t.equal(zip.type, 'application/zip');
  const archive = await fromBufferPromise(Buffer.from(await zip.arrayBuffer()));
  const found = new Map<string, Uint8Array>();
  for await (const entry of archive.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of (await archive.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    t.equal(entry.crc32, crc32(bytes), `checksum of ${entry.fileName}`);
    found.set(entry.fileName, new Uint8Array(bytes));
  }
  t.same(found, given);
});
