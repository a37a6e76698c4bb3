// The owner's program with real processes: what it is given, hostile names included, and what becomes of it.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { HookProgram, type HookProgramOptions } from '../../../../../api/services/hooks/hook-program.js';
import type { TorrentEvent } from '../../../../../api/services/hooks/torrent-events.js';
import { HOOK_EVENTS } from '../../../../../shared-protocol/hook-events.js';
import { NEW_LIBRARY_RECORD } from '../../../../../shared-protocol/library-record.js';
import { SILENT_LOG } from '../../../../support/api-harness.js';
import { waitUntil } from '../../../../support/peers/wait-until.js';
import { FACTS } from '../../../../support/samples.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';
import { withoutDescriptors } from '../../../../support/without-descriptors.js';

const TIMEOUT_MS = 60_000;
/** Writes what it was given into a folder, under its process id, by renaming: what is there is whole. */
const RECORDER = `
  const { renameSync, writeFileSync } = require('node:fs');
  const [folder, ...args] = process.argv.slice(2);
  const file = folder + '/' + process.pid;
  writeFileSync(file + '.part', JSON.stringify({ args, env: process.env, cwd: process.cwd() }));
  renameSync(file + '.part', file);
`;
const LABELS = {
  category: (id: number) =>
    id === 1 ? { id, name: 'films', default_save_path: '', color: '', auto_move: false } : undefined,
  tag: (id: number) => ({ id, name: `tag ${id}`, color: '' }),
};

async function start(t: Test, options: Partial<HookProgramOptions> = {}) {
  const folder = join(await temporaryDirectory(), 'told');
  await mkdir(folder);
  const script = join(folder, '..', 'recorder.cjs');
  await writeFile(script, RECORDER);
  const warnings: Readonly<Record<string, unknown>>[] = [];
  const warn = (_message: string, fields: Readonly<Record<string, unknown>> = {}) => void warnings.push(fields);
  const program = new HookProgram(
    {
      file: process.execPath,
      args: [script, folder, ...(options.args ?? [])],
      events: HOOK_EVENTS,
      ...without(options),
    },
    { labels: LABELS, log: { ...SILENT_LOG, warn } },
  );
  t.teardown(() => program.stop());
  const told = async () => {
    const names = (await readdir(folder)).filter((name) => !name.endsWith('.part'));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return texts.map((text) => JSON.parse(text) as { args: string[]; env: Record<string, string>; cwd: string });
  };
  return { program, warnings, told };
}

/** `args` come behind those of the recorder. */
const without = ({ file, events }: Partial<HookProgramOptions>) => ({
  ...(file ? { file } : {}),
  ...(events ? { events } : {}),
});

const completed = (change: Partial<TorrentEvent['torrent']> = {}): TorrentEvent => ({
  event: 'completed',
  torrent: { ...FACTS, library: { ...NEW_LIBRARY_RECORD, categoryId: 1, tagIds: [1, 2] }, ...change },
});

void t.test('each argument is one, whatever is in the name; no shell, no secrets of ours', async (t) => {
  process.env['SWARMD_TEST_SECRET'] = 'secret';
  t.teardown(() => void delete process.env['SWARMD_TEST_SECRET']);
  const name = '$(touch /tmp/x); "a" \'b\' {infohash} \n | rm -rf *';
  const { program, told } = await start(t, { args: ['--name', '{name}', '{event}:{category}:{tags}', '{unknown}'] });
  program.run(completed({ name: `${name}\0`, trackers: 'udp://Tracker.Example/passkey/announce\nudp://b' }));
  await waitUntil('one run', TIMEOUT_MS, async () => (await told())[0]);
  const [{ args, env, cwd } = { args: [], env: {}, cwd: '' }] = await told();
  t.same(args, ['--name', name, 'completed:films:tag 1,tag 2', '{unknown}']);
  t.match(env, {
    TORRENT_EVENT: 'completed',
    TORRENT_INFOHASH: FACTS.id,
    TORRENT_NAME: name,
    TORRENT_PATH: join(FACTS.savePath, name),
    TORRENT_CATEGORY: 'films',
    TORRENT_TRACKER: 'tracker.example',
  });
  t.notOk('SWARMD_TEST_SECRET' in env);
  t.notMatch(JSON.stringify(env), /passkey/);
  t.equal(cwd, '/');
});

void t.test('for the events that were asked for; many, a few at a time', async (t) => {
  const { program, told } = await start(t, { events: ['completed'] });
  program.run({ ...completed(), event: 'added' });
  for (let n = 0; n < 10; n++) program.run(completed());
  await waitUntil('ten runs', TIMEOUT_MS, async () => (await told())[9]);
});

void t.test('one that fails or is not there is in the log; the next one runs', async (t) => {
  const failing = await start(t, { file: '/bin/sh' });
  failing.program.run(completed());
  await waitUntil('a line in the log', TIMEOUT_MS, () => failing.warnings[0]);
  t.match(failing.warnings[0], { event: 'completed', infohash: FACTS.id, reason: /^ended with / });
  const missing = await start(t, { file: '/nonexistent/program' });
  missing.program.run(completed());
  missing.program.run(completed());
  await waitUntil('two lines in the log', TIMEOUT_MS, () => missing.warnings[1]);
  t.match(missing.warnings[1], { reason: /ENOENT/ });
});

void t.test('without descriptors for its process one fails, and the next one runs', async (t) => {
  const { program, warnings, told } = await start(t);
  await withoutDescriptors(async () => {
    program.run(completed());
    await waitUntil('a line in the log', TIMEOUT_MS, () => warnings[0]);
  });
  t.match(warnings, [{ event: 'completed', reason: /EMFILE/ }]);
  program.run(completed());
  await waitUntil('the next one', TIMEOUT_MS, async () => (await told())[0]);
});

void t.test('it ends with us, and what it has started with it', async (t) => {
  const folder = await temporaryDirectory();
  const script = join(folder, 'sleeper.sh');
  await writeFile(
    script,
    `#!/bin/sh\nsleep 1000 &\necho $! > ${folder}/part\nmv ${folder}/part ${folder}/pid\nwait\n`,
    { mode: 0o755 },
  );
  const { program } = await start(t, { file: script });
  program.run(completed());
  const pid = await waitUntil('it has begun', TIMEOUT_MS, () =>
    readFile(join(folder, 'pid'), 'utf8').then(Number, () => undefined),
  );
  await program.stop();
  await waitUntil('the sleeper ends', TIMEOUT_MS, async () => ((await hasEnded(pid)) ? true : undefined));
});

void t.test('begun again it runs, and nothing of what waited before', async (t) => {
  const { program, told } = await start(t);
  await program.stop();
  program.run(completed());
  program.start();
  program.run({ ...completed(), event: 'added' });
  await waitUntil('one run', TIMEOUT_MS, async () => (await told())[0]);
  t.same(
    (await told()).map(({ env }) => env['TORRENT_EVENT']),
    ['added'],
  );
});

/** Also when nobody has taken note of it: a zombie runs nothing any more. */
function hasEnded(pid: number): Promise<boolean> {
  return readFile(`/proc/${pid}/stat`, 'utf8').then(
    (text) => text.includes(') Z '),
    () => true,
  );
}
