// What a deletion must leave for the torrents beside it: the same files, however the two are saved.
import t from 'tap';
import { filesSharedWith, type SavedTorrent } from '../../../../engine/session/shared-files.js';

function saved(savePath: string, ...paths: readonly string[]): SavedTorrent {
  return { savePath, filePaths: () => paths.map((path) => path.split('/')) };
}

const CASES: readonly {
  readonly name: string;
  readonly of: SavedTorrent;
  readonly other: SavedTorrent;
  readonly kept: readonly string[];
}[] = [
  {
    name: 'the same folder',
    of: saved('/dl', 'show/1', 'show/2'),
    other: saved('/dl', 'show/2', 'show/3'),
    kept: ['show/2'],
  },
  {
    name: 'saved into the folder of the one that goes',
    of: saved('/dl', 'show/1', 'show/2'),
    other: saved('/dl/show', '1'),
    kept: ['show/1'],
  },
  {
    name: 'saved above the one that goes',
    of: saved('/dl/show', '1', '2'),
    other: saved('/dl', 'show/1'),
    kept: ['1'],
  },
  {
    name: 'by way of a link',
    of: saved('/dl', 'show/1', 'show/2'),
    other: saved('/link-to-dl', 'show/2'),
    kept: ['show/2'],
  },
  {
    name: 'a directory that only begins alike',
    of: saved('/dl', 'show/1'),
    other: saved('/dl2', 'show/1'),
    kept: [],
  },
];

const realPath = (savePath: string) => (savePath === '/link-to-dl' ? '/dl' : savePath);

for (const { name, of, other, kept } of CASES) {
  void t.test(name, async (t) => {
    const keep = filesSharedWith(of, [other], realPath);
    const paths = of.filePaths();
    t.same(
      paths.filter((path) => keep(path)).map((path) => path.join('/')),
      kept,
    );
  });
}
