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

/** What no Debian package brings; `install` is the command that does. */
export type Installed = Pick<PeerProgram, 'name' | 'isAvailable'> & { readonly install: string };

type Needed = Program | Installed;

/** A test that needs a program, or several. */
export function testWith(
  t: Test,
  needed: Needed | readonly Needed[],
  name: string,
  run: (t: Test) => Promise<void>,
): Promise<unknown> {
  const program = [needed].flat().find((one) => !one.isAvailable());
  if (!program) return t.test(name, run);
  const missing = `${program.name} is missing: ${installOf(program)}`;
  if (process.env['CI'] !== 'true') return t.test(name, { skip: missing }, run);
  return t.test(name, (failing) => {
    failing.fail(missing);
    failing.end();
  });
}

function installOf(program: Needed): string {
  return 'install' in program ? program.install : `apt-get install ${program.debianPackage}`;
}
