// Builds the Debian package of what `npm run build` has made: node packaging/debian/build.js <directory for it>.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..', '..');
const HERE = import.meta.dirname;
/** What runs, without tests and measurements. */
const PARTS = ['api', 'engine', 'engine-process', 'shared-protocol', 'storage', 'cli', 'chunks', 'web'];
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

const target = resolve(process.argv[2] ?? '.');
const { version, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const architecture = ARCHITECTURES[process.arch];
if (!architecture) throw new Error(`no package for ${process.arch}`);
if (!existsSync(join(ROOT, 'dist', 'api', 'main.js'))) throw new Error('npm run build comes before');

const tree = mkdtempSync(join(tmpdir(), 'swarmd-deb-'));
try {
  const program = join(tree, 'usr', 'lib', 'swarmd');
  for (const part of PARTS) {
    cpSync(join(ROOT, 'dist', part), join(program, 'dist', part), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    });
  }
  cpSync(join(ROOT, 'package.json'), join(program, 'package.json'));
  for (const path of installed())
    cpSync(path, join(program, relative(ROOT, path)), { recursive: true, dereference: true });
  chmodSync(join(program, 'dist', 'api', 'main.js'), 0o755);
  put('usr/share/doc/swarmd/README.md', readFileSync(join(ROOT, 'README.md')));
  put('usr/share/doc/swarmd/copyright', readFileSync(join(ROOT, 'LICENSE')));
  for (const unit of ['swarmd.service', 'swarmd-engine@.service']) {
    put(`lib/systemd/system/${unit}`, readFileSync(join(HERE, unit)));
  }
  put('etc/default/swarmd', readFileSync(join(HERE, 'default')));
  mkdirSync(join(tree, 'usr', 'bin'));
  symlinkSync('../lib/swarmd/dist/api/main.js', join(tree, 'usr', 'bin', 'swarmd'));
  put('DEBIAN/control', control());
  put('DEBIAN/conffiles', '/etc/default/swarmd\n');
  for (const script of ['postinst', 'prerm', 'postrm'])
    put(`DEBIAN/${script}`, readFileSync(join(HERE, script)), 0o755);
  chmodSync(tree, 0o755);
  mkdirSync(target, { recursive: true });
  const file = join(target, `swarmd_${version}_${architecture}.deb`);
  run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', tree, file]);
  process.stdout.write(`${file}\n`);
} finally {
  rmSync(tree, { recursive: true, force: true });
}

function control() {
  return `${[
    'Package: swarmd',
    `Version: ${version}`,
    'Section: net',
    'Priority: optional',
    `Architecture: ${architecture}`,
    'Depends: nodejs (>= 20.19), adduser, util-linux',
    'Maintainer: Swarmd <swarmd@localhost>',
    `Description: ${description}`,
  ].join('\n')}\n`;
}

/** Folders of the packages that it needs to run, the outermost ones. */
function installed() {
  const listed = run('npm', ['ls', '--omit=dev', '--all', '--parseable']).trim().split('\n').slice(1);
  const outermost = new Set(listed.filter((path) => path.lastIndexOf('node_modules') === ROOT.length + 1));
  return [...outermost].filter((path) => existsSync(path));
}

function put(path, content, mode = 0o644) {
  const file = join(tree, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, content, { mode });
}

function run(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return stdout;
}
