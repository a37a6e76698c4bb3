// The same requests to qBittorrent 4.5.2 and to Swarmd, which have the same torrents: each answer has the same status, the
// same content type, and JSON of the same keys and types, but for the differences that are listed.
import t from 'tap';
import { Differences } from '../../support/compatible/differences.js';
import { qbittorrentNox, startQbittorrent } from '../../support/compatible/qbittorrent-nox.js';
import { makeSamples, putFiles, type Samples } from '../../support/compatible/samples.js';
import { shapeOf } from '../../support/compatible/shape.js';
import { startSwarmd } from '../../support/compatible/swarmd.js';
import { forTest, type Target } from '../../support/compatible/target.js';
import { WebApi } from '../../support/compatible/web-api.js';
import { testWith } from '../../support/peers/index.js';
import { QBITTORRENT_DIFFERENCES } from './differential/qbittorrent-differences.js';
import { changingRequests, readingRequests, refusedRequests, type Named } from './differential/qbittorrent-requests.js';

/** Keys that the requests have named themselves. */
const NAMES = ['films', 'shows'];

t.setTimeout(600_000);

void testWith(t, qbittorrentNox, 'answers of qBittorrent and of Swarmd', async (t) => {
  const samples = await makeSamples(t);
  const real = await withTorrents(await forTest(t, startQbittorrent), samples);
  const swarmd = await withTorrents(await forTest(t, () => startSwarmd()), samples);
  const hashes = { alpha: samples.alpha.infoHash, beta: samples.beta.infoHash };
  const differences = new Differences(QBITTORRENT_DIFFERENCES);
  for (const requests of [readingRequests, refusedRequests, changingRequests]) {
    await t.test(requests.name, async (t) => {
      for (const request of requests(hashes)) {
        const name = `${request.isStranger ? 'stranger: ' : ''}${request.method} ${nameOf(request, samples)}`;
        const [expected, got] = [await shape(real, request), await shape(swarmd, request)];
        t.same(differences.unlisted(name, expected, got), [], name);
      }
    });
  }
  t.same(differences.unseen(), [], 'each difference that is listed is one');
});

async function withTorrents(target: Target, samples: Samples): Promise<WebApi> {
  const api = await WebApi.signedIn(target);
  const { alpha, beta } = samples;
  await putFiles(alpha, target.savePath);
  await api.post('torrents/createCategory', { category: 'shows' });
  await api.add(alpha, { category: 'shows' });
  await api.add(beta, { paused: 'true', stopped: 'true' });
  await api.waitFor(alpha.infoHash, ({ state }) => state === 'stalledUP');
  await api.waitFor(beta.infoHash, ({ state }) => state === 'pausedDL' || state === 'stoppedDL');
  await api.waitForTracker(alpha.infoHash);
  return api;
}

async function shape(api: WebApi, request: Named): Promise<string[]> {
  const sender = request.isStranger ? new WebApi(api.target) : api;
  return shapeOf(await sender.send(request), NAMES);
}

function nameOf({ path, form, parts }: Named, { alpha, beta }: Samples): string {
  const text = `${path} ${form ? JSON.stringify(form) : ''}${parts ? Object.keys(parts).join() : ''}`.trim();
  return text.replaceAll(alpha.infoHash, 'alpha').replaceAll(beta.infoHash, 'beta');
}
