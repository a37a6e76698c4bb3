// A collection's file, changed in any way: it is what was written or it is damaged, never something else.
import t from 'tap';
import fc from 'fast-check';
import { openEnvelope, sealEnvelope } from '../../../storage/collection-envelope.js';
import { fuzzRuns } from '../../support/fuzzing.js';

const data = fc.jsonValue({ maxDepth: 3 });
const change = fc.tuple(fc.nat(), fc.nat(255), fc.constantFrom('set', 'cut', 'insert', 'end'));

void t.test('intact or damaged', async (t) => {
  let intact = 0;
  let damaged = 0;
  fc.assert(
    fc.property(data, fc.array(change, { maxLength: 3 }), (value, changes) => {
      const sealed = sealEnvelope(3, value);
      let bytes = Buffer.from(sealed);
      for (const [where, byte, what] of changes) {
        const at = where % (bytes.length + 1);
        if (what === 'set' && at < bytes.length) bytes[at] = byte;
        else if (what === 'cut') bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
        else if (what === 'insert') bytes = Buffer.concat([bytes.subarray(0, at), Buffer.of(byte), bytes.subarray(at)]);
        else bytes = bytes.subarray(0, at);
      }
      const opened = openEnvelope(bytes);
      if (opened.kind === 'damaged') {
        damaged++;
        return !bytes.equals(sealed) && opened.reason !== '';
      }
      intact++;
      return JSON.stringify(opened.data) === JSON.stringify(value);
    }),
    { numRuns: fuzzRuns(3_000) },
  );
  t.ok(intact > 100 && damaged > 100, `${intact} intact, ${damaged} damaged`);
});

void t.test('anything', async (t) => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string()), (given) => {
      return openEnvelope(Buffer.from(given as string)).kind === 'damaged';
    }),
    { numRuns: fuzzRuns(3_000) },
  );
  t.pass();
});
