// What is installed with the program, as package-lock.json has it: no package of production runs anything when it is
// installed but those whose native code is built then, and every one is known by its digest and from the registry in use.
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { z } from 'zod';

const LOCK = new URL('../../../package-lock.json', import.meta.url);
/** They bring their native code built for the common machines, and build it themselves on others. */
const KNOWN_SCRIPTS = ['argon2', 'koffi', 'lmdb', 'msgpackr-extract'];

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
    }),
  ),
});

void t.test('install scripts, digests and sources of production packages', async (t) => {
  const { packages } = lockSchema.parse(JSON.parse(await readFile(LOCK, 'utf8')));
  const production = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  t.ok(production.length > 100);
  const named = (isMeant: (entry: (typeof production)[number][1]) => boolean) =>
    production
      .filter(([, entry]) => isMeant(entry))
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13));
  t.same([...new Set(named(({ hasInstallScript }) => hasInstallScript === true))].sort(), KNOWN_SCRIPTS);
  t.same(
    named(({ integrity }) => integrity === undefined),
    [],
  );
  t.same(
    Object.keys(packages).filter((path) => packages[path]?.resolved !== undefined),
    [],
    'a lock that names no registry works with all of them',
  );
});
