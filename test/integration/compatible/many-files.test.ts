// Torrents of tens of thousands of files, of which one account asks for all at once: others are answered meanwhile.
import t from 'tap';
import { infoHashFromBytes } from '../../../shared-protocol/ids.js';
import { createHash } from 'node:crypto';
import { httpCall } from '../../support/api-harness.js';
import { setBobsScene } from '../../support/bobs-scene.js';
import { torrentsOf } from '../../support/transmission-scene.js';
import { TransmissionTool } from '../../support/transmission-rpc.js';

const TORRENTS = 4;
const FILES = 40_000;
const PIECE_BYTES = 16_384;
const FIELDS = ['hashString', 'files', 'fileStats', 'priorities', 'wanted', 'file-count'];

t.setTimeout(180_000);

/** Made as text: of so many files the encoder takes seconds. */
function crowd(name: string) {
  const files = Array.from({ length: FILES }, (_, n) => `d6:lengthi1e4:pathl5:${String(n).padStart(5, '0')}ee`).join(
    '',
  );
  const pieces = '#'.repeat(Math.ceil(FILES / PIECE_BYTES) * 20);
  const info = `d5:filesl${files}e4:name${name.length}:${name}12:piece lengthi${PIECE_BYTES}e6:pieces${pieces.length}:${pieces}e`;
  const infoHash = infoHashFromBytes(createHash('sha1').update(info).digest());
  return { infoHash, metainfo: Buffer.from(`d4:info${info}e`).toString('base64') };
}

void t.test('others are answered while one lists the files of all its torrents', async (t) => {
  const { daemon } = await setBobsScene(t);
  const made = Array.from({ length: TORRENTS }, (_, n) => crowd(`crowd ${n}`));
  const call = (method: string, path: string, options = {}) => httpCall(`${daemon.url}${path}`, method, options);
  const tool = new TransmissionTool({ call }, 'bob', 'eight or more');
  for (const { metainfo } of made) await tool.get('torrent-add', { metainfo, paused: true });
  const began = performance.now();
  let isListing = true;
  const listing = torrentsOf<{ hashString: string; files: readonly { name: string }[] }>(tool, FIELDS).finally(() => {
    isListing = false;
  });
  let longestMs = 0;
  while (isListing) {
    const asked = performance.now();
    await call('GET', '/api/healthz');
    longestMs = Math.max(longestMs, performance.now() - asked);
  }
  const torrents = await listing;
  const wholeMs = performance.now() - began;
  t.same(torrents.map(({ hashString }) => hashString).sort(), made.map(({ infoHash }) => infoHash).sort());
  for (const { files } of torrents) {
    t.equal(files.length, FILES);
    t.match(files.at(-1)?.name, /\/39999$/, 'in their order');
  }
  t.ok(longestMs < wholeMs / 3, `${longestMs} of ${wholeMs} ms`);
});
