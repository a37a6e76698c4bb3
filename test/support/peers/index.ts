// The other programs, and the rule for a machine that lacks one: skipped saying so, a failure where CI=true.
import type { Test } from 'tap';
import { aria2 } from './aria2.js';
import { libtorrent } from './libtorrent.js';
import { transmission } from './transmission.js';
import type { PeerProgram } from './types.js';

export { aria2, libtorrent, transmission };
export type { PeerClient, PeerEncryption, PeerProgram, PeerProgress, PeerStartOptions } from './types.js';

/** What a test may need to be installed. */
export type Program = Pick<PeerProgram, 'name' | 'debianPackage' | 'isAvailable'>;

/** A test that needs a program. */
export function testWith(t: Test, program: Program, name: string, run: (t: Test) => Promise<void>): Promise<unknown> {
  if (program.isAvailable()) return t.test(name, run);
  const missing = `${program.name} is missing: apt-get install ${program.debianPackage}`;
  if (process.env['CI'] !== 'true') return t.test(name, { skip: missing }, run);
  return t.test(name, (failing) => {
    failing.fail(missing);
    failing.end();
  });
}
