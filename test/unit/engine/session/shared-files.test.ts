// What a deletion must leave for another torrent: the same files, however the two are named and saved.
import t from 'tap';
import { filesSharedWith, type SavedTorrent } from '../../../../engine/session/shared-files.js';

function saved(savePath: string, name: string, ...paths: readonly string[]) {
  let parsed = 0;
  const filePaths = () => {
    parsed++;
    return paths.map((path) => path.split('/'));
  };
  return { savePath, name, filePaths, parsed: () => parsed } satisfies SavedTorrent & { parsed: () => number };
}

const LONG = `${'x'.repeat(300)}.mkv`;
const CASES: readonly {
  readonly name: string;
  readonly of: ReturnType<typeof saved>;
  readonly other: ReturnType<typeof saved>;
  readonly kept: readonly string[];
}[] = [
  {
    name: 'the same folder',
    of: saved('/dl', 'show', 'show/1', 'show/2'),
    other: saved('/dl', 'show', 'show/2', 'show/3'),
    kept: ['show/2'],
  },
  {
    name: 'a name that is no text: shown with U+FFFD, saved with _',
    of: saved('/dl', 'a\uFFFDb', 'a_b/1'),
    other: saved('/dl', 'a__b', 'a_b/1'),
    kept: ['a_b/1'],
  },
  {
    name: 'a name that was cut',
    of: saved('/dl', LONG, 'xxx.mkv'),
    other: saved('/dl', LONG.slice(0, 200), 'xxx.mkv'),
    kept: ['xxx.mkv'],
  },
  {
    name: 'saved into the folder of the one that goes',
    of: saved('/dl', 'show', 'show/1', 'show/2'),
    other: saved('/dl/show', '1', '1'),
    kept: ['show/1'],
  },
  {
    name: 'saved above the one that goes',
    of: saved('/dl/show', '1', '1', '2'),
    other: saved('/dl', 'show', 'show/1'),
    kept: ['1'],
  },
  {
    name: 'the same name elsewhere',
    of: saved('/dl', 'show', 'show/1'),
    other: saved('/other', 'show', 'show/1'),
    kept: [],
  },
  {
    name: 'a directory that only begins alike',
    of: saved('/dl', 'show', 'show/1'),
    other: saved('/dl2', 'show', 'show/1'),
    kept: [],
  },
];

for (const { name, of, other, kept } of CASES) {
  void t.test(name, async (t) => {
    const keep = filesSharedWith(of, [of, other]);
    const paths = of.filePaths();
    t.same(
      paths.filter((path) => keep(path)).map((path) => path.join('/')),
      kept,
    );
  });
}

void t.test('metainfo of torrents that cannot collide is not read', async (t) => {
  const others = [saved('/dl', 'film', 'film'), saved('/dl/films', 'show', 'show'), saved('/', 'home', 'home/1')];
  filesSharedWith(saved('/dl', 'show', 'show/1'), others);
  t.same(
    others.map((other) => other.parsed()),
    [0, 0, 0],
  );
});
