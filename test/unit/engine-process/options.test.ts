// The command line of `swarmd engine`: what is understood, and what is refused in words.
import t from 'tap';
import { parseEngineOptions } from '../../../engine-process/options.js';

const parsed = (...args: string[]) => {
  const result = parseEngineOptions(args);
  if (result.kind !== 'run') throw new Error(JSON.stringify(result));
  return result.options;
};
const message = (...args: string[]) => {
  const result = parseEngineOptions(args);
  return result.kind === 'error' ? result.message : JSON.stringify(result);
};

void t.test('a Unix socket needs nothing else', async (t) => {
  t.match(parsed('--listen', 'unix:/run/swarmd/alice.sock', '--data-dir', '/srv/alice'), {
    ...{ listen: { kind: 'unix', path: '/run/swarmd/alice.sock' }, dataDir: '/srv/alice', tokenFile: null },
    ...{ tls: null, roots: [], maxFronts: 1, peerPort: null, fetchAllow: null, logLevel: 'info' },
  });
});

void t.test('a port, roots and ranges', async (t) => {
  const tls = ['--tls-cert', '/c', '--tls-key', '/k', '--client-ca', '/a', '--token-file', '/t'];
  const options = parsed(
    ...['--listen', 'tcp://[::]:9490', ...tls, '--roots', 'data=/srv/a,fast=/mnt/b/../c'],
    ...['--shared-roots', 'tank=/mnt/tank'],
    ...['--peer-port', '6881', '--fetch-allow', '10.0.0.0/8,fd00::/8', '--log-level', 'debug'],
  );
  t.match(options, {
    ...{ listen: { kind: 'tcp', host: '::', port: 9_490 }, peerPort: 6_881, fetchAllow: ['10.0.0.0/8', 'fd00::/8'] },
    roots: [
      { name: 'data', path: '/srv/a' },
      { name: 'fast', path: '/mnt/c' },
    ],
    sharedRoots: [{ name: 'tank', path: '/mnt/tank' }],
    ...{ tls: { certFile: '/c', keyFile: '/k', clientAuthorityFile: '/a' }, tokenFile: '/t', logLevel: 'debug' },
  });
});

void t.test('what is refused says why', async (t) => {
  const at = ['--listen', 'unix:/s'];
  const cases: readonly [RegExp, ...string[]][] = [
    [/--listen <ADDRESS>' not specified/],
    [/expected unix:\/path\/of\/socket or tcp:/, '--listen', 'unix:relative'],
    [/expected unix:\/path\/of\/socket or tcp:/, '--listen', 'tcp://example.org:1'],
    [/--token-file is needed with tcp/, '--listen', 'tcp://127.0.0.1:0'],
    [/--tls-cert is needed to listen at 0\.0\.0\.0/, '--listen', 'tcp://0.0.0.0:1', '--token-file', '/t'],
    [/--tls-cert and --tls-key go together/, ...at, '--tls-cert', '/c'],
    [/--client-ca goes with --tls-cert/, ...at, '--client-ca', '/c'],
    [/expected NAME=\/absolute\/folder/, ...at, '--roots', 'data=srv'],
    [/a name is there twice/, ...at, '--roots', 'a=/b,a=/c'],
    [/both have the name a/, ...at, '--roots', 'a=/b', '--shared-roots', 'a=/c'],
    [/expected a port/, ...at, '--peer-port', '70000'],
    [/expected ranges like/, ...at, '--fetch-allow', '10.0.0.0'],
    [/unknown option '--prot'/, ...at, '--prot', '1'],
  ];
  for (const [expected, ...args] of cases) t.match(message(...args), expected, args.join(' '));
  t.match(message('--prot'), /^swarmd engine: .*\(see swarmd engine --help\)$/);
  t.match(parseEngineOptions(['--help']), { kind: 'help', text: /--roots/ });
});
