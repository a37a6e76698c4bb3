// States of other programs that the bench makes: what reads those of real ones takes them for such.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { PROGRAMS } from '../../../../api/services/import/programs.js';
import { StateDirectory } from '../../../../api/services/import/state-directory.js';
import { FOREIGN_PROGRAMS, writeForeignState } from '../../../../bench/support/foreign-states.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';

for (const program of FOREIGN_PROGRAMS)
  void t.test(program, async (t) => {
    const [home, downloads] = [await temporaryDirectory(), join(await temporaryDirectory(), 'downloads')];
    await mkdir(downloads);
    await writeForeignState(program, home, downloads, 20);
    const { entries, read } = await PROGRAMS[program].open(await StateDirectory.open(home), downloads);
    t.equal(entries.length, 20);
    const torrents = await Promise.all(entries.map(read));
    t.ok(torrents.every(({ savePath, tags }) => savePath === downloads && tags.includes('kept')));
    t.same(
      torrents.map(({ state }) => state.uploadedBytes).sort((one, other) => one - other),
      Array.from({ length: 20 }, (_, index) => index * 1_000),
    );
    t.equal(torrents.filter(({ state }) => state.completedAt === 0).length, 2, 'a tenth is half there');
  });
