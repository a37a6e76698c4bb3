// A process that uses the API as browsers and scripts do: sockets that read whatever is pushed, and requests at a fixed
// rate, whether or not those before have been answered, so that a stall is counted as often as users would have met it.
// Argument: an ApiJob as JSON. Reports `ready` when all sockets have been sent something. Lines on standard input: `begin`
// starts counting, `report` tells what the answers took since then.
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { percentile } from '../measure/percentile.js';
import { reportEvent } from './load-job.js';

const apiJobSchema = z.object({
  url: z.string(),
  key: z.string(),
  sockets: z.int(),
  requestsPerSecond: z.int().positive(),
  /** Of torrents to look at and to change. */
  ids: z.array(z.string()).min(1),
});

export type ApiJob = z.infer<typeof apiJobSchema>;

interface Request {
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  readonly body?: object;
}

const job = apiJobSchema.parse(JSON.parse(process.argv[2] ?? ''));
const agent = new Agent({ keepAlive: true });
const authorization = `Bearer ${job.key}`;
let latenciesMs: number[] = [];
let failed = 0;
let ready = 0;
let sent = 0;

createInterface({ input: process.stdin })
  .on('line', onCommand)
  // The bench holds the other end.
  .on('close', () => process.exit(0));
for (let i = 0; i < job.sockets; i++) openSocket();
setInterval(() => ask(next(sent++)), 1_000 / job.requestsPerSecond);

/** Of ten requests four list, four look at a torrent, and two write a setting, which is durable when it is answered. */
function next(number: number): Request {
  const id = job.ids[number % job.ids.length]!;
  // Above what any transfer here reaches; another value each time.
  const kbps = 100_000_000 + number;
  const places: readonly Request[] = [
    { method: 'GET', path: '/api/torrents' },
    { method: 'GET', path: `/api/torrents/${id}/rate_limits` },
    { method: 'PUT', path: `/api/torrents/${id}/rate_limits`, body: { down_kbps: kbps, up_kbps: kbps } },
    { method: 'GET', path: '/api/torrents' },
    { method: 'GET', path: `/api/torrents/${id}/seed_policy` },
    { method: 'GET', path: '/api/torrents' },
    { method: 'GET', path: `/api/torrents/${id}/shares` },
    { method: 'PUT', path: '/api/settings/seeding_defaults', body: { ratio_limit: kbps, time_min_limit: null } },
    { method: 'GET', path: '/api/torrents' },
    { method: 'GET', path: '/api/stats' },
  ];
  return places[number % places.length]!;
}

function ask({ method, path, body }: Request): void {
  const startMs = performance.now();
  const headers = { authorization, ...(body ? { 'content-type': 'application/json' } : {}) };
  const asked = request(job.url + path, { method, agent, headers }, (response) => {
    response.resume().on('end', () => {
      latenciesMs.push(performance.now() - startMs);
      if (response.statusCode !== 200) failed++;
    });
  });
  asked.on('error', () => failed++);
  asked.end(body ? JSON.stringify(body) : undefined);
}

/** What comes is thrown away: real clients are on other machines. */
function openSocket(): void {
  const headers = {
    authorization,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  };
  const upgrade = request(`${job.url}/api/ws`, { headers });
  upgrade.on('upgrade', (_response, socket) => {
    socket.once('data', () => {
      if (++ready === job.sockets) reportEvent('ready', {});
    });
    socket.resume();
  });
  upgrade.on('error', ({ message }) => reportEvent('error', { message }));
  upgrade.end();
}

function onCommand(line: string): void {
  if (line === 'report') {
    const [p50, p99] = [percentile(latenciesMs, 50), percentile(latenciesMs, 99)];
    reportEvent('report', { p50, p99, max: Math.max(...latenciesMs), answers: latenciesMs.length, failed });
  }
  latenciesMs = [];
  failed = 0;
}
