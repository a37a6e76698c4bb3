// Which errors that nobody has caught end a thread: none of a socket, all others. In programs and threads of their own.
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { isSocketError } from '../../../shared-protocol/uncaught.js';
import { startChild } from '../../support/peers/child-process.js';

const CHILD = fileURLToPath(new URL('../../support/uncaught-child.js', import.meta.url));

/** Which call meets the reset is a matter of moments. */
const SURVIVED = /^survived (connect|read|write) (ECONNRESET|EPIPE)/;

async function happens(kind: string, place: 'main' | 'thread') {
  const lines: string[] = [];
  const child = await startChild(process.execPath, [CHILD, kind, place], { onLine: (line) => lines.push(line) });
  const { code } = await child.exited;
  return [code, lines.join('\n')];
}

for (const place of ['main', 'thread'] as const) {
  void t.test(place, async (t) => {
    t.match(await happens('reset', place), [0, SURVIVED]);
    t.match(await happens('rejection', place), [0, SURVIVED]);
    t.match(await happens('bug', place), [3, /^fatal /]);
    t.match(await happens('bug-rejection', place), [3, /^fatal /]);
    t.match(await happens('disk', place), [3, /^fatal /]);
  });
}

void t.test('errors by code and call', async (t) => {
  const error = (fields: object) => Object.assign(new Error('x'), fields);
  for (const fields of [
    { code: 'ECONNRESET', syscall: 'read' },
    { code: 'EPIPE', syscall: 'write' },
    { code: 'ENETUNREACH', syscall: 'connect' },
    { code: 'EHOSTUNREACH', syscall: 'send' },
    { code: 'ECONNRESET' },
    { code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
  ]) {
    t.equal(isSocketError(error(fields)), true, JSON.stringify(fields));
  }
  for (const fields of [
    {},
    { code: 'EIO', syscall: 'read' },
    { code: 'ENOSPC', syscall: 'write' },
    { code: 'EPIPE' },
    { code: 'ETIMEDOUT', syscall: 'open' },
    { code: 'ERR_OSSL_EVP_UNSUPPORTED' },
    { code: 'ERR_INVALID_ARG_TYPE' },
  ]) {
    t.equal(isSocketError(error(fields)), false, JSON.stringify(fields));
  }
  for (const thrown of [null, undefined, 'ECONNRESET', { code: 'ECONNRESET', syscall: 'read' }]) {
    t.equal(isSocketError(thrown), false);
  }
});
