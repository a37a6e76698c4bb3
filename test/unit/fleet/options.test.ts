// The command line of a fleet for trying: what is asked for, and what is said of a bad value.
import t from 'tap';
import { parseFleetOptions } from '../../../fleet/options.js';

void t.test('what is not said has a default', async (t) => {
  t.same(parseFleetOptions([]), { kind: 'run', options: { nodes: 2, fronts: 2, dir: null } });
  t.same(parseFleetOptions(['--nodes', '3', '--fronts', '1', '--dir', '/srv/fleet/']), {
    kind: 'run',
    options: { nodes: 3, fronts: 1, dir: '/srv/fleet' },
  });
});

void t.test('a value that will not do is refused by the name of its option', async (t) => {
  const refused: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['--nodes', '0'], /'--nodes <N>'.*'0'.*1 to 16/],
    [['--nodes', '17'], /'--nodes <N>'/],
    [['--fronts', 'two'], /'--fronts <N>'.*'two'/],
    [['--fronts'], /'--fronts <N>'.*missing/],
    [['--dir', ''], /'--dir <DIR>'.*expected a path/],
    [['--dir', '/srv/a,b'], /'--dir <DIR>'/],
    [['--dir', `/${'d'.repeat(80)}`], /'--dir <DIR>'.*80 bytes/],
    [['--front', '2'], /'--front'/],
    [['3'], /too many arguments/],
  ];
  for (const [args, message] of refused) {
    const parsed = parseFleetOptions(args);
    t.match(parsed, { kind: 'error', message }, args.join(' '));
  }
});

void t.test('help names each option', async (t) => {
  for (const option of ['--nodes', '--fronts', '--dir']) {
    t.match(parseFleetOptions(['--help']), { kind: 'help', text: new RegExp(option) });
  }
});
