// Flood, a web interface for other programs: run by Node 22, which it needs, without accounts of its own, and driven by
// the REST of its pages.
import { httpCall } from '../api-harness.js';
import { freePort } from '../free-port.js';
import { startChild } from '../peers/child-process.js';
import { makeScratch } from '../peers/scratch.js';
import { waitUntil } from '../peers/wait-until.js';
import { FLOOD, NODE_22, type Client } from './clients.js';
import type { Target } from './target.js';

const START_TIMEOUT_MS = 60_000;

export interface FloodUnderTest {
  /** `call(method, path below /api/, body)`: the JSON of the answer. */
  readonly client: Client;
  close(): Promise<void>;
}

/** `as`: which program it takes the target for. */
export async function startFlood(target: Target, as: 'qBittorrent' | 'Transmission'): Promise<FloodUnderTest> {
  const home = await makeScratch('flood');
  const port = await freePort();
  const lines: string[] = [];
  const options = { rundir: home.path, host: '127.0.0.1', port: String(port), auth: 'none', ...accountOf(target, as) };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = await startChild(NODE_22, [FLOOD, ...args], {
    // It looks for a program beside itself, and for settings, in the home directory.
    env: { HOME: home.path, http_proxy: undefined, HTTP_PROXY: undefined, all_proxy: undefined, ALL_PROXY: undefined },
    onLine: (line) => lines.push(line),
  });
  const url = `http://127.0.0.1:${port}`;
  const cookie = await waitUntil(
    'Flood answering',
    START_TIMEOUT_MS,
    () =>
      httpCall(`${url}/api/auth/verify`, 'GET').then(
        ({ headers }) => /^jwt=[^;]+/.exec(headers['set-cookie']?.[0] ?? '')?.[0],
        () => {
          if (!child.isRunning) throw new Error(`Flood has ended. ${child.stderr}`);
          return undefined;
        },
      ),
    () => lines.slice(-20).join('\n'),
  );
  const call = async (method: unknown, path: unknown, body?: unknown): Promise<unknown> => {
    const headers = { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const answer = await httpCall(`${url}/api/${String(path)}`, String(method), { headers, body });
    const { status, text } = answer;
    if (status >= 300) throw Object.assign(new Error(`Flood: ${status} ${text}`), { status });
    return text === '' ? null : answer.json<unknown>();
  };
  return {
    client: { call },
    async close() {
      await child.stop();
      await home.remove();
    },
  };
}

function accountOf({ url, username, password }: Target, as: 'qBittorrent' | 'Transmission'): Record<string, string> {
  return as === 'qBittorrent'
    ? { qburl: url, qbuser: username, qbpass: password }
    : { trurl: `${url}/transmission/rpc`, truser: username, trpass: password };
}
