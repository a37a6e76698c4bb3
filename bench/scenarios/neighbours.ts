// One account misbehaves in one way after another; what another account's requests, sign-in and downloads get meanwhile,
// beside what they get undisturbed. The first is an administrator, so that it may have a file checked that lies there. The
// other one downloads at what a line of 1 Gbit/s carries, which is promised, and as fast as goes, which is not: then all
// processes of the bench compete for the machine.
import { createHash } from 'node:crypto';
import { mkdirSync, openSync, closeSync, ftruncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import bencode from 'bencode';
import type { ApiJob } from '../load/api-load.js';
import { NEIGHBOUR_KINDS, type NeighbourJob } from '../load/neighbour-job.js';
import { timedDownload } from '../load/timed-transfer.js';
import { median } from '../measure/percentile.js';
import { withService, type SwarmdService } from '../programs/swarmd-service.js';
import type { Figure } from '../report/results.js';
import { Child } from '../support/child.js';
import { makePayload, type Payload } from '../support/payload.js';
import { compiledFile } from '../support/project.js';
import { makeSmallTorrents, writeContent } from '../support/small-torrents.js';
import { pause } from '../support/wait.js';
import type { Workspace } from '../support/workspace.js';
import type { Scenario, Sizes } from './scenario.js';

const FILES = 200_000;
const PIECES = 500_000;
const LISTED = 2_000;
const OWN = 200;
/** 1 Gbit/s. */
const LINE_KBPS = 122_070;
const SEEDED_PIECES = 256;
const SPARSE_BYTES = 256 * 1024 ** 3;
const SPARSE_PIECE_BYTES = 16 * 1024 ** 2;
const REQUESTS_PER_SECOND = 20;
const READY_TIMEOUT_MS = 60_000;
/** Sign-ins are limited to one in twelve seconds after the first five. */
const PHASE_MS = 13_000;

export const neighbours: Scenario = {
  kind: 'micro',
  what: 'one account misbehaves, another one is measured',
  isOnRequest: true,
  measure(sizes) {
    const bytes = 2 * sizes.sizeBytes;
    return withService(bytes, {}, (service, workspace) => measureWith(service, workspace, sizes));
  },
};

interface Phase {
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  readonly signInMs: number;
  readonly mbPerSecond: number;
  readonly lineMbPerSecond: number;
}

async function measureWith(service: SwarmdService, workspace: Workspace, sizes: Sizes): Promise<Figure[]> {
  const payload = makePayload(workspace.folder('payload'), sizes.sizeBytes, sizes.pieceBytes);
  const neighbourKey = await service.createAccount('neighbour', 'admin');
  const job = { ...(await prepare(service.as(neighbourKey), workspace)), key: neighbourKey };
  const key = await service.createAccount('measured', 'user', ['perm_add_torrents', 'perm_change_settings']);
  const measured = service.as(key);
  const ids = await addMagnets(measured, OWN, 'd');
  const scene = { service: measured, payload, workspace, ids, runs: sizes.runs };
  await timedDownload(measured, payload, workspace, { folder: join(measured.savePath, 'copy') });
  const alone = await measurePhase(scene);
  const figures = figuresOf('undisturbed', alone, null);
  for (const kind of NEIGHBOUR_KINDS) {
    const neighbour = new Child(process.execPath, [
      compiledFile('bench/load/neighbour.js'),
      JSON.stringify({ ...job, kind } satisfies NeighbourJob),
    ]);
    try {
      await neighbour.event('ready', READY_TIMEOUT_MS);
      await pause(2_000);
      figures.push(...figuresOf(kind, await measurePhase(scene), alone));
    } finally {
      await neighbour.stop();
    }
    await pause(2_000);
  }
  return figures;
}

function figuresOf(name: string, phase: Phase, alone: Phase | null): Figure[] {
  return [
    { name: `${name}: API p50`, value: phase.p50, unit: 'ms' },
    { name: `${name}: API p99`, value: phase.p99, unit: 'ms', ...(alone ? { promise: { atMost: 100 } } : {}) },
    { name: `${name}: answers that were no success`, value: phase.failed, unit: 'answers', promise: { atMost: 0 } },
    { name: `${name}: sign-in`, value: phase.signInMs, unit: 'ms', promise: { atMost: 1_000 } },
    { name: `${name}: download`, value: phase.mbPerSecond, unit: 'MB/s' },
    { name: `${name}: download over 1 Gbit/s`, value: phase.lineMbPerSecond, unit: 'MB/s' },
    ...(alone
      ? [
          { name: `${name}: rate kept`, value: phase.mbPerSecond / alone.mbPerSecond, unit: '×' },
          {
            name: `${name}: rate kept of 1 Gbit/s`,
            value: phase.lineMbPerSecond / alone.lineMbPerSecond,
            unit: '×',
            promise: { atLeast: 0.8 },
          },
        ]
      : []),
  ];
}

interface Scene {
  readonly service: SwarmdService;
  readonly payload: Payload;
  readonly workspace: Workspace;
  readonly ids: readonly string[];
  readonly runs: number;
}

async function measurePhase({ service, payload, workspace, ids, runs }: Scene): Promise<Phase> {
  const { url, apiKey: key } = service;
  const job: ApiJob = { url, key, sockets: 1, requestsPerSecond: REQUESTS_PER_SECOND, ids: [...ids] };
  const load = new Child(process.execPath, [compiledFile('bench/load/api-load.js'), JSON.stringify(job)]);
  try {
    await load.event('ready', READY_TIMEOUT_MS);
    load.order('begin');
    const [signInMs] = await Promise.all([service.timedSignIn(), pause(PHASE_MS)]);
    load.order('report');
    const { p50, p99, failed } = await load.event('report', READY_TIMEOUT_MS);
    const folder = join(service.savePath, 'copy');
    const rate = async (kbps: number): Promise<number> => {
      const rates: number[] = [];
      while (rates.length < runs) {
        rates.push((await timedDownload(service, payload, workspace, { folder, kbps })).mbPerSecond);
      }
      return median(rates);
    };
    const [mbPerSecond, lineMbPerSecond] = [await rate(0), await rate(LINE_KBPS)];
    return { p50: Number(p50), p99: Number(p99), failed: Number(failed), signInMs, mbPerSecond, lineMbPerSecond };
  } finally {
    await load.stop();
  }
}

/** Everything that the neighbour needs, and what is there anyway. */
async function prepare(service: SwarmdService, workspace: Workspace): Promise<Omit<NeighbourJob, 'kind' | 'key'>> {
  const folder = workspace.folder('neighbour');
  const { torrents, data } = makeSmallTorrents(1, SEEDED_PIECES);
  const [seeded] = torrents;
  writeContent(seeded!, data, folder);
  const add = (torrentBytes: Uint8Array) => service.add(torrentBytes, folder);
  const job = {
    url: service.url,
    peerPort: service.peerPort,
    seeded: await add(seeded!.torrentBytes),
    sparse: await add(makeSparse(folder)),
    files: await add(manyFiles()),
    pieces: await add(manyPieces()),
    pieceCount: SEEDED_PIECES,
  };
  await addMagnets(service, LISTED, 'f');
  await service.settled();
  return job;
}

/** Paused ones; their ids. */
async function addMagnets(service: SwarmdService, count: number, first: string): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const magnet = `magnet:?xt=urn:btih:${i.toString(16).padStart(40, first)}`;
    ids.push((await service.ask<{ readonly id: string }>('POST', '/api/torrents/magnet', { magnet, paused: true })).id);
  }
  return ids;
}

/** On disk is its last piece alone. */
function makeSparse(folder: string): Uint8Array {
  mkdirSync(folder, { recursive: true });
  const last = Buffer.alloc(SPARSE_PIECE_BYTES, 1);
  const fd = openSync(join(folder, 'sparse.bin'), 'w');
  ftruncateSync(fd, SPARSE_BYTES);
  writeSync(fd, last, 0, last.length, SPARSE_BYTES - last.length);
  closeSync(fd);
  const pieces = Buffer.alloc((SPARSE_BYTES / SPARSE_PIECE_BYTES) * 20, 7);
  pieces.set(createHash('sha1').update(last).digest(), pieces.length - 20);
  return bencode.encode({
    info: { length: SPARSE_BYTES, name: 'sparse.bin', 'piece length': SPARSE_PIECE_BYTES, pieces },
  });
}

function manyFiles(): Uint8Array {
  const pieceLength = 64 * 1024;
  const files = Array.from({ length: FILES }, (_, i) => ({ length: 1, path: [`f${i}`] }));
  const pieces = Buffer.alloc(Math.ceil(FILES / pieceLength) * 20, 7);
  return bencode.encode({ info: { files, name: 'many-files', 'piece length': pieceLength, pieces } });
}

function manyPieces(): Uint8Array {
  const pieceLength = 16 * 1024;
  const pieces = Buffer.alloc(PIECES * 20, 7);
  return bencode.encode({
    info: { length: PIECES * pieceLength, name: 'many-pieces', 'piece length': pieceLength, pieces },
  });
}
