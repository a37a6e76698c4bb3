// The same requests to Transmission 3.00 and to Swarmd, which have the same torrents: each answer has the same status,
// result and content type, and JSON of the same keys and types, but for the differences that are listed.
import t from 'tap';
import { Differences } from '../../support/compatible/differences.js';
import { Rpc } from '../../support/compatible/rpc.js';
import { makeSamples, putFiles, type Samples } from '../../support/compatible/samples.js';
import { shapeOf } from '../../support/compatible/shape.js';
import { startSwarmd } from '../../support/compatible/swarmd.js';
import { forTest, type Target } from '../../support/compatible/target.js';
import { startTransmission } from '../../support/compatible/transmission-daemon.js';
import { testWith, transmission } from '../../support/peers/index.js';
import { TRANSMISSION_DIFFERENCES } from './differential/transmission-differences.js';
import {
  changingRequests,
  readingRequests,
  refusedRequests,
  type Known,
  type RpcRequest,
} from './differential/transmission-requests.js';

t.setTimeout(600_000);

void testWith(t, transmission, 'answers of Transmission and of Swarmd', async (t) => {
  const samples = await makeSamples(t);
  const real = await withTorrents(await forTest(t, startTransmission), samples);
  const swarmd = await withTorrents(await forTest(t, () => startSwarmd()), samples);
  const differences = new Differences(TRANSMISSION_DIFFERENCES);
  for (const requests of [readingRequests, refusedRequests, changingRequests]) {
    await t.test(requests.name, async (t) => {
      const [first, second] = [requests(knownTo(real, samples)), requests(knownTo(swarmd, samples))];
      for (const [at, request] of first.entries()) {
        const name = nameOf(request, samples, real.target);
        const [expected, got] = [await shape(real, request), await shape(swarmd, second[at]!)];
        t.same(differences.unlisted(name, expected, got), [], name);
      }
    });
  }
  t.same(differences.unseen(), [], 'each difference that is listed is one');
});

async function withTorrents(target: Target, samples: Samples): Promise<Rpc> {
  const rpc = new Rpc(target);
  const { alpha, beta } = samples;
  await putFiles(alpha, target.savePath);
  await rpc.add(alpha, { 'download-dir': target.savePath });
  await rpc.add(beta, { 'download-dir': target.savePath, paused: true });
  await rpc.waitFor(alpha.infoHash, ({ status, percentDone }) => status === 6 && percentDone === 1);
  await rpc.waitFor(beta.infoHash, ({ status }) => status === 0);
  await rpc.waitForTracker(alpha.infoHash);
  return rpc;
}

function knownTo({ target }: Rpc, { alpha, beta }: Samples): Known {
  return { alpha: alpha.infoHash, beta: beta.infoHash, savePath: target.savePath };
}

/** The sentence of a refusal belongs to the shape: tools show it. */
async function shape(rpc: Rpc, { method, fields, body }: RpcRequest): Promise<string[]> {
  const answer = await rpc.send(body ?? JSON.stringify({ method, arguments: fields }));
  const lines = shapeOf(answer);
  const isJson = answer.headers['content-type']?.startsWith('application/json') ?? false;
  return isJson ? [...lines, `result: ${answer.json<{ readonly result?: string }>().result}`] : lines;
}

function nameOf({ method, fields, body }: RpcRequest, { alpha, beta }: Samples, { savePath }: Target): string {
  const text = body ?? `${method} ${JSON.stringify(fields)}`;
  const named = text.replaceAll(alpha.infoHash, 'alpha').replaceAll(beta.infoHash, 'beta');
  return `${body === undefined ? '' : 'body '}${named.replaceAll(savePath, '<save path>')}`;
}
