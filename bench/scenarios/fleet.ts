// A front of several engines of processes of their own: what it costs its main thread to keep up with them as they grow in number,
// how old a change is when it is seen in a browser, and how long a command takes there and back. Each engine has its part of the
// torrents, of which one in a hundred changes each second.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentile } from '../measure/percentile.js';
import { mainThreadCpuMsOf } from '../measure/thread-cpu.js';
import type { Figure } from '../report/results.js';
import { Child } from '../support/child.js';
import { removeNow, removeOnExit } from '../support/clean-up.js';
import { KeepAliveClient } from '../support/keep-alive-client.js';
import { compiledFile } from '../support/project.js';
import { pause } from '../support/wait.js';
import { QUIET_FLAGS } from '../support/quiet-flags.js';
import type { Scenario } from './scenario.js';

const NODES = [1, 2, 4];
const TORRENTS_OF_A_NODE = 25_000;
const CHANGED_PART = 0.01;
const START_TIMEOUT_MS = 120_000;
/** Until what is done once, after a start, is over. */
const SETTLE_MS = 10_000;
const WATCH_S = 20;
const COMMANDS = 500;
const FLAGS = ['--port', '0', '--peer-port', '0', ...QUIET_FLAGS];

export const fleet: Scenario = {
  kind: 'micro',
  what: 'a front of 1, 2 and 4 engines of 25,000 torrents each; 3 minutes',
  isOnRequest: true,
  async measure() {
    const figures: Figure[] = [];
    for (const nodes of NODES) figures.push(...(await measureWith(nodes)));
    return figures;
  },
};

async function measureWith(nodes: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'swarmd-bench-fleet-'));
  removeOnExit(folder);
  const children: Child[] = [];
  const start = (file: string, args: readonly string[]): Child => {
    const child = new Child(process.execPath, [compiledFile(`bench/load/${file}`), ...args]);
    children.push(child);
    return child;
  };
  try {
    const engines = Array.from({ length: nodes }, (_, n) => ({ name: `node-${n}`, socket: join(folder, `${n}.sock`) }));
    const changed = String(TORRENTS_OF_A_NODE * CHANGED_PART);
    for (const [n, { socket }] of engines.entries()) {
      const node = start('fleet-node.js', [socket, String(TORRENTS_OF_A_NODE), changed, String(n + 1)]);
      await node.event('ready', START_TIMEOUT_MS);
    }
    const [enginesFile, passwordFile, password] = [
      join(folder, 'engines.json'),
      join(folder, 'password'),
      randomBytes(12).toString('hex'),
    ];
    const entries = engines.map(({ name, socket }) => ({ name, address: `unix:${socket}` }));
    writeFileSync(enginesFile, JSON.stringify({ engines: entries }));
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    const paths = [
      '--data-dir',
      join(folder, 'front'),
      '--save-path',
      join(folder, 'files'),
      '--admin-password-file',
      passwordFile,
    ];
    const front = start('busy-daemon.js', [...FLAGS, ...paths, '--engines', enginesFile]);
    const { message: url } = await front.event('ready', START_TIMEOUT_MS);
    return await measureFront(front, String(url), password, { nodes, start });
  } finally {
    for (const child of children.reverse()) await child.stop();
    removeNow(folder);
  }
}

async function measureFront(
  front: Child,
  url: string,
  password: string,
  { nodes, start }: { readonly nodes: number; readonly start: (file: string, args: readonly string[]) => Child },
): Promise<Figure[]> {
  const client = new KeepAliveClient(url, 1);
  try {
    const json = { 'content-type': 'application/json', origin: url };
    const { headers: said } = await client.demand(
      'POST',
      '/api/login',
      json,
      JSON.stringify({ username: 'admin', password }),
    );
    const cookie = String(said['set-cookie']).split(';')[0]!;
    const headers = { cookie, origin: url };
    const list = JSON.parse((await client.demand('GET', '/api/torrents', headers)).body.toString()) as { id: string }[];
    await pause(SETTLE_MS);
    const alone = await cpuPercent(front.pid);
    const reader = start('delta-reader.js', [url, cookie]);
    await reader.event('connected', START_TIMEOUT_MS);
    // The first message is the whole list.
    await pause(SETTLE_MS);
    await agesOf(reader);
    const watched = await cpuPercent(front.pid);
    const ages = await agesOf(reader);
    const answers: number[] = [];
    for (let n = 0; n < COMMANDS; n++) {
      const { id } = list[Math.floor((n * list.length) / COMMANDS)]!;
      const before = performance.now();
      await client.demand('POST', `/api/torrents/${id}/pause`, headers);
      answers.push(performance.now() - before);
    }
    const of = `${nodes} × ${TORRENTS_OF_A_NODE} torrents`;
    const promised = nodes === NODES.at(-1);
    return [
      { name: `${of}: torrents listed`, value: list.length, unit: '' },
      { name: `${of}: main thread, nobody looks`, value: alone, unit: '%' },
      {
        name: `${of}: main thread, a browser looks`,
        value: watched,
        unit: '%',
        ...(promised && { promise: { atMost: 30 } }),
      },
      { name: `${of}: age of a change, p50`, value: percentile(ages, 50), unit: 'ms' },
      {
        name: `${of}: age of a change, p99`,
        value: percentile(ages, 99),
        unit: 'ms',
        ...(promised && { promise: { atMost: 1_500 } }),
      },
      { name: `${of}: changes seen a second`, value: ages.length / WATCH_S, unit: '' },
      { name: `${of}: command, p50`, value: percentile(answers, 50), unit: 'ms' },
      {
        name: `${of}: command, p99`,
        value: percentile(answers, 99),
        unit: 'ms',
        ...(promised && { promise: { atMost: 20 } }),
      },
    ];
  } finally {
    client.close();
  }
}

/** Processor time of the main thread over a while. */
async function cpuPercent(pid: number): Promise<number> {
  const before = mainThreadCpuMsOf(pid);
  await pause(WATCH_S * 1_000);
  return (mainThreadCpuMsOf(pid) - before) / WATCH_S / 10;
}

/** Milliseconds, of each change that came since they were asked for last. */
async function agesOf(reader: Child): Promise<readonly number[]> {
  reader.order('');
  return JSON.parse(String((await reader.event('ages', START_TIMEOUT_MS))['message'])) as number[];
}
