// Answers of an engine are let through as every engine of ours gives them; nothing else is, where somebody looks at them.
import t from 'tap';
import type { CommandName } from '../../../../shared-protocol/commands.js';
import { decodeMessage, encodeMessage } from '../../../../shared-protocol/stream/codec.js';
import { answerTo } from '../../../../shared-protocol/stream/answer-shape.js';
import { COMMAND_SAMPLES } from '../../../support/samples.js';

const NAMES = Object.keys(COMMAND_SAMPLES) as CommandName[];
const NONSENSE = [undefined, null, 1, 'x', [undefined], [[[]]], { length: 1e9, id: 1 }];

void t.test('all that our engines answer', async (t) => {
  for (const name of NAMES) {
    for (const { params, result } of COMMAND_SAMPLES[name]) {
      const crossed = decodeMessage(encodeMessage({ result })) as { readonly result: unknown };
      t.ok(answerTo(name, params as never)(crossed.result), name);
    }
  }
});

void t.test('nonsense', async (t) => {
  const looked = NAMES.filter((name) => !answerTo(name, COMMAND_SAMPLES[name][0]!.params as never)(Symbol.iterator));
  t.ok(looked.length > 25, `${looked.length} commands whose answers somebody looks at`);
  for (const name of looked) {
    const isAnswer = answerTo(name, COMMAND_SAMPLES[name][0]!.params as never);
    // Details that were not asked for are left out.
    for (const value of NONSENSE.slice(0, name === 'inspectTorrent' ? -1 : undefined)) {
      t.notOk(isAnswer(value), `${name} ${JSON.stringify(value)}`);
    }
  }
});

void t.test('a list that is shorter or longer than what was asked about', async (t) => {
  const isAnswer = answerTo('volumesOf', { paths: ['/a', '/b'] });
  const volume = { device: 1, totalBytes: 2, freeBytes: 1 };
  t.ok(isAnswer([volume, null]));
  for (const list of [[], [volume], [volume, null, null]]) t.notOk(isAnswer(list));
});

void t.test('bytes of a file beyond those that were asked for', async (t) => {
  const isAnswer = answerTo('readFile', { reader: 1, from: 0, count: 10, until: 10 });
  t.ok(isAnswer(new Uint8Array(10)));
  t.notOk(isAnswer(new Uint8Array(11)));
});

void t.test('numbers that are put beside those of other engines', async (t) => {
  const params = COMMAND_SAMPLES.createTorrent[0]!.params;
  for (const creation of [-1, 1.5, 2 ** 53 - 1])
    t.notOk(answerTo('createTorrent', params)({ creation }), `${creation}`);
});
