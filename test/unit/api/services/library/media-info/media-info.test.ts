// Who waits for whom when media files are looked at, and what is told of them: files in memory, and MediaInfo itself.
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import type { FileStream } from '../../../../../../api/services/library/file-streams.js';
import { MediaInfo } from '../../../../../../api/services/library/media-info/media-info.js';
import { systemClock } from '../../../../../../shared-protocol/clock.js';
import { parseAccountId, parseInfoHash } from '../../../../../../shared-protocol/ids.js';
import { makeMp3, makeWav } from '../../../../../support/media.js';

const ANN = parseAccountId(1);
const BOB = parseAccountId(2);
const EVE = parseAccountId(3);
const MAL = parseAccountId(4);
/** Index of a file whose bytes do not come before they are let. */
const HELD = 1;

function start(bytes = makeWav()) {
  const letGo: (() => void)[] = [];
  const fileStreams = {
    open: async (_share: unknown, index: number) => {
      const file = {
        ...{ path: 'a.wav', sizeBytes: bytes.length, isWhole: true, isClosed: false, close: () => undefined },
        read: async (from: number, until: number) => {
          if (index === HELD) await new Promise<void>((resolve) => letGo.push(resolve));
          return bytes.subarray(from, until);
        },
      };
      // Of a stream nothing else is asked.
      return file as unknown as FileStream;
    },
  };
  const mediaInfo = new MediaInfo({ fileStreams, clock: systemClock });
  return {
    look: (accountId = ANN, index = 0, { signal } = new AbortController()) =>
      mediaInfo.of({ id: parseInfoHash(`${accountId}`.repeat(40)), by: accountId }, index, {
        ...{ accountId, signal, assertAllowed: () => undefined },
      }),
    /** Resolves when bytes of so many files are waited for. */
    held: async (count: number) => {
      while (letGo.length < count) await turn();
    },
    release: () => letGo.splice(0).forEach((release) => release()),
  };
}

void t.test('a file that takes long keeps no other account waiting', async (t) => {
  const { look, held, release } = start();
  const long = look(EVE, HELD);
  await held(1);
  t.match(await look(ANN), /Wave/);
  t.match(await look(BOB), /Wave/);
  release();
  t.match(await long, /Wave/);
});

void t.test('an account that does not wait any more may ask for another file at once', async (t) => {
  const { look, held, release } = start();
  const long = [look(EVE, HELD), look(MAL, HELD)];
  await held(2);
  const asking = new AbortController();
  const given = look(ANN, 0, asking);
  await turn();
  asking.abort();
  await t.rejects(given, { name: 'AbortError' });
  const other = look(ANN);
  release();
  t.match(await other, /Wave/);
  await Promise.all(long);
});

void t.test('what somebody has put into a file turns no line around, and ends none', async (t) => {
  const { look } = start(makeMp3('Nice\nComplete name : /etc/passwd\u202egpj.exe\u001b[31m\u2028x'));
  const text = await look();
  t.match(text, /^Title +: Nice .*_gpj\.exe/m);
  t.notMatch(text, /^Complete name : \/etc/m);

  t.notMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/);
});
