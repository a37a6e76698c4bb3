// The command line as a table: what is given, what comes of it.
import { resolve } from 'node:path';
import t from 'tap';
import { parseCommandLine, type Environment, type Options } from '../../../../api/cli/options.js';

const parse = (args: string[], env: Environment = {}) => parseCommandLine(args, env, '/home/ann');

function optionsOf(args: string[], env: Environment = {}): Options {
  const parsed = parse(args, env);
  if (parsed.kind !== 'run') throw new Error(JSON.stringify(parsed));
  return parsed.options;
}

void t.test('without arguments', async (t) => {
  t.same(optionsOf([]), {
    dataDir: '/home/ann/.local/share/swarmd',
    savePath: null,
    host: null,
    port: null,
    peerPort: null,
    peerPorts: null,
    bind: null,
    proxy: null,
    anonymous: null,
    portableNames: null,
    maxPeers: null,
    flavor: 'daemon',
    browser: true,
    adminPasswordFile: null,
    allowedPaths: [],
    importPaths: [],
    backupDir: '/home/ann/.local/share/swarmd/backups',
    backupEveryHours: 0,
    backupKeep: 7,
    allowedHosts: [],
    trustedProxies: [],
    proxyUsers: null,
    basePath: '',
    compatible: null,
    allowMissingOrigin: false,
    fetchAllow: [],
    nameServers: null,
    hookProgram: null,
    engine: null,
    enginesFile: null,
    databaseFile: null,
    updateUrl: null,
    updateKey: null,
    tls: null,
    dhtBootstrap: null,
    encryption: null,
    dht: null,
    lsd: null,
    upnp: null,
    logLevel: 'info',
  } satisfies Options);
  t.equal(optionsOf([], { XDG_DATA_HOME: '/data' }).dataDir, '/data/swarmd');
});

const accepted: { args: string[]; env?: Environment; expected: Partial<Options> }[] = [
  { args: ['--data-dir', '/d', '--save-path=/s'], expected: { dataDir: '/d', savePath: '/s' } },
  { args: ['--host', '::1', '--port', '0'], expected: { host: '::1', port: 0 } },
  { args: ['--peer-port=6881'], expected: { peerPort: 6881, peerPorts: null } },
  { args: ['--peer-port', '6881-6889'], expected: { peerPort: null, peerPorts: [{ first: 6881, last: 6889 }] } },
  { args: ['--bind', 'wg0', '--anonymous', 'on'], expected: { bind: 'wg0', anonymous: true } },
  { args: ['--portable-names', 'on'], expected: { portableNames: true } },
  { args: [], env: { SWARMD_BIND: '10.2.0.2' }, expected: { bind: '10.2.0.2' } },
  {
    args: ['--proxy', 'socks5://anna:p%40ss@proxy.example:1080'],
    expected: {
      proxy: {
        ...{ kind: 'socks5', host: 'proxy.example', port: 1080, peers: true, trackers: true, isGuarded: false },
        credentials: { username: 'anna', password: 'p@ss' },
      },
    },
  },
  {
    args: ['--proxy', 'http://[2001:db8::1]:3128?guarded'],
    expected: {
      proxy: {
        ...{ kind: 'http', host: '2001:db8::1', port: 3128, peers: true, trackers: true, isGuarded: true },
        credentials: null,
      },
    },
  },
  { args: ['--max-peers', '2500'], expected: { maxPeers: 2_500 } },
  { args: ['--flavor', 'desktop'], expected: { flavor: 'desktop' } },
  { args: ['--browser', 'off'], expected: { browser: false } },
  { args: ['--allowed-paths', '/a,/b/../c'], expected: { allowedPaths: ['/a', '/c'] } },
  { args: ['--allowed-hosts', 'Box.local,nas'], expected: { allowedHosts: ['box.local', 'nas'] } },
  { args: ['--allow-missing-origin'], expected: { allowMissingOrigin: true } },
  { args: ['--compatible', 'transmission,qbittorrent'], expected: { compatible: ['qbittorrent', 'transmission'] } },
  { args: ['--compatible=none'], expected: { compatible: [] } },
  {
    args: ['--hook-program', '/bin/x'],
    expected: {
      hookProgram: {
        file: '/bin/x',
        args: ['{event}', '{infohash}'],
        events: ['added', 'metadata', 'completed', 'error', 'removed'],
      },
    },
  },
  {
    args: ['--hook-program', '/bin/x', '--hook-arguments', '["-n={name}",""]', '--hook-events=completed,added'],
    expected: { hookProgram: { file: '/bin/x', args: ['-n={name}', ''], events: ['added', 'completed'] } },
  },
  { args: ['--base-path', '/swarmd/'], expected: { basePath: '/swarmd' } },
  { args: ['--base-path=/'], expected: { basePath: '' } },
  { args: ['--base-path=/box/~me'], expected: { basePath: '/box/~me' } },
  { args: ['--update-url', 'https://a.example/m'], expected: { updateUrl: 'https://a.example/m' } },
  { args: ['--update-key', `${'A'.repeat(43)}=`], expected: { updateKey: `${'A'.repeat(43)}=` } },
  { args: ['--tls-cert', '/c', '--tls-key', '/k'], expected: { tls: { certFile: '/c', keyFile: '/k' } } },
  {
    args: ['--dht-bootstrap', 'router.example:6881,[::1]:1'],
    expected: {
      dhtBootstrap: [
        { host: 'router.example', port: 6881 },
        { host: '::1', port: 1 },
      ],
    },
  },
  { args: ['--dht', 'off', '--lsd=off', '--upnp', 'on'], expected: { dht: false, lsd: false, upnp: true } },
  { args: ['--encryption=required'], expected: { encryption: 'required' } },
  {
    args: ['--proxy-user-header', 'Remote-User', '--proxy-key-file', '/key', '--trusted-proxies', '::1'],
    expected: { proxyUsers: { userHeader: 'remote-user', keyFile: '/key' } },
  },
  { args: ['--log-level', 'debug'], expected: { logLevel: 'debug' } },
  {
    args: [],
    env: { SWARMD_PORT: '81', SWARMD_ALLOW_MISSING_ORIGIN: 'on' },
    expected: { port: 81, allowMissingOrigin: true },
  },
  { args: ['--port', '82'], env: { SWARMD_PORT: '81' }, expected: { port: 82 } },
  { args: [], env: { SWARMD_PORT: '' }, expected: { port: null } },
  { args: ['--port', '1', '--port=2', '--port', '3'], expected: { port: 3 } },
  { args: ['--data-dir', '-d', '--save-path=--s'], expected: { dataDir: resolve('-d'), savePath: resolve('--s') } },
  { args: ['--update-url=https://a.example/m?a=b'], expected: { updateUrl: 'https://a.example/m?a=b' } },
  { args: ['--data-dir=/a\nb'], expected: { dataDir: '/a\nb' } },
  { args: ['--allow-missing-origin', '--allow-missing-origin=off'], expected: { allowMissingOrigin: false } },
];
for (const { args, env, expected } of accepted) {
  void t.test(`accepts ${args.join(' ')} ${JSON.stringify(env ?? {})}`, async (t) => {
    t.match(optionsOf(args, env), expected);
  });
}

const refused: { args: string[]; env?: Environment; message: RegExp }[] = [
  { args: ['--base-path', 'swarmd'], message: /--base-path "swarmd": expected a path like/ },
  { args: ['--base-path', '/a/../b'], message: /expected a path like/ },
  { args: ['--base-path', '/a"b'], message: /expected a path like/ },
  { args: ['--nope'], message: /unknown argument "--nope"/ },
  { args: ['serve'], message: /unknown argument "serve"/ },
  { args: ['--nope=1'], message: /unknown argument "--nope=1"/ },
  { args: ['--Port', '1'], message: /unknown argument "--Port"/ },
  { args: ['--no-dht'], message: /unknown argument "--no-dht"/ },
  { args: ['--__proto__', '1'], message: /unknown argument "--__proto__"/ },
  { args: ['--hook-program', 'notify.sh'], message: /--hook-program "notify.sh": expected the absolute path/ },
  { args: ['--hook-program=/x', '--hook-arguments', 'a b'], message: /expected a JSON array of texts/ },
  { args: ['--hook-program=/x', '--hook-arguments', '[1]'], message: /expected a JSON array of texts/ },
  { args: ['--hook-program=/x', '--hook-events', 'done'], message: /"done": expected added or metadata/ },
  { args: ['--hook-events', 'added'], message: /go with --hook-program/ },
  { args: ['--proxy-key-file', '/key', '--trusted-proxies', '::1'], message: /--proxy-user-header, .* go together/ },
  { args: ['--proxy-user-header', 'A', '--trusted-proxies', '::1'], message: /--proxy-key-file .* go together/ },
  { args: ['--proxy-user-header', 'A', '--proxy-key-file', '/key'], message: /--trusted-proxies go together/ },
  { args: ['--proxy-user-header', 'Remote User'], message: /"Remote User": expected the name of a header/ },
  { args: ['--proxy-user-header', 'Cookie'], message: /expected a header that nothing else is said in/ },
  { args: ['--proxy-user-header', 'X-Forwarded-For'], message: /expected a header that nothing else is said in/ },
  { args: ['--compatible', 'deluge'], message: /"deluge": expected qbittorrent or transmission/ },
  { args: ['--=x'], message: /unknown argument "--=x"/ },
  { args: ['-p', '1'], message: /unknown argument "-p"/ },
  { args: ['-abc'], message: /unknown argument "-abc"/ },
  { args: ['-hx'], message: /unknown argument "-hx"/ },
  { args: ['-'], message: /unknown argument "-"/ },
  { args: ['--'], message: /unknown argument "--"/ },
  { args: ['--', '--port', '1'], message: /unknown argument "--"/ },
  { args: ['--help=on'], message: /unknown argument "--help=on"/ },
  { args: ['--version=1'], message: /unknown argument "--version=1"/ },
  { args: ['--nope', '--help'], message: /unknown argument "--nope"/ },
  { args: ['--allow-missing-origin', 'off'], message: /unknown argument "off"/ },
  { args: ['--allow-missing-origin='], message: /--allow-missing-origin "": expected on or off/ },
  { args: ['--port='], message: /--port "": expected a port/ },
  { args: ['--port', ''], message: /--port "": expected a port/ },
  { args: ['--port', '-h'], message: /--port "-h": expected a port/ },
  { args: ['--port', '--'], message: /--port needs a value/ },
  { args: ['--port', '--port=1'], message: /--port needs a value/ },
  { args: ['--port', 'x', '--help'], message: /--port "x": expected a port/ },
  { args: ['--port'], message: /--port needs a value/ },
  { args: ['--port', '--host'], message: /--port needs a value/ },
  { args: ['--port', '65536'], message: /--port "65536": expected a port, 0 to 65535/ },
  { args: ['--port', '-1'], message: /expected a port/ },
  { args: ['--max-peers', '0'], message: /expected a number of connections, 1 to 20000/ },
  { args: ['--max-peers', '20001'], message: /expected a number of connections/ },
  { args: ['--flavor', 'server'], message: /expected daemon or desktop/ },
  { args: ['--host', 'a b'], message: /expected an address or host name/ },
  { args: ['--allowed-paths', 'relative'], message: /expected absolute directories, not "relative"/ },
  { args: ['--trusted-proxies', '10.0.0.0/33'], message: /expected CIDR ranges/ },
  { args: ['--name-servers', 'dns.example'], message: /expected addresses/ },
  { args: ['--name-servers', '10.0.0.1:70000'], message: /expected addresses/ },
  { args: ['--fetch-allow', 'lan'], message: /expected CIDR ranges/ },
  { args: ['--update-url', 'http://a.example/m'], message: /expected an https URL/ },
  { args: ['--update-key', 'AAAA'], message: /expected an ed25519 public key/ },
  { args: ['--dht-bootstrap', 'router.example'], message: /expected host:port/ },
  { args: ['--dht', 'maybe'], message: /expected on or off/ },
  { args: ['--log-level', 'loud'], message: /expected trace or debug/ },
  { args: ['--tls-cert', '/c'], message: /--tls-cert and --tls-key go together/ },
  { args: ['--allowed-hosts', ''], message: /separated by commas/ },
  { args: [], env: { SWARMD_PORT: 'x' }, message: /SWARMD_PORT "x": expected a port/ },
];
for (const { args, env, message } of refused) {
  void t.test(`refuses ${args.join(' ')} ${JSON.stringify(env ?? {})} in one line`, async (t) => {
    const parsed = parse(args, env);
    t.match(parsed, { kind: 'error', message });
    t.notMatch(parsed.kind === 'error' && parsed.message, /\n/);
  });
}

void t.test('CIDR ranges, single addresses included', async (t) => {
  const [net, single] = optionsOf(['--trusted-proxies', '10.0.0.0/8,::1']).trustedProxies;
  t.same([net?.[0].toString(), net?.[1]], ['10.0.0.0', 8]);
  t.same([single?.[0].toString(), single?.[1]], ['::1', 128]);
});

void t.test('--help names every option, --version answers', async (t) => {
  const help = parse(['--port', '1', '--help']);
  for (const flag of ['--data-dir', '--tls-key', '--log-level', '--upnp', '--version']) {
    t.match(help, { kind: 'help', text: new RegExp(flag) });
  }
  t.same(parse(['--version']), { kind: 'version' });
  t.match(parse(['-h', '--nope']), { kind: 'help' }, 'what comes after it is not looked at');
});
