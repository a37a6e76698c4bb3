// Users who sign in, look at everything, change a setting, make mistakes, have the push channel open for a moment, and
// sign out.
import { request, type IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import type { DaemonUnderTest } from '../support/daemon.js';

const SOCKETS = 3;
const TIMEOUT_MS = 20_000;
/** Many enough that a login of each in turn is never too early, however fast; few enough to be remembered. */
const ADDRESSES = 250;

/** `number`: which user of many. */
export async function churnClient(daemon: DaemonUnderTest, id: string, number: number): Promise<void> {
  const cookie = await signIn(daemon, number);
  const sockets = Array.from({ length: SOCKETS }, () => listen(daemon, cookie));
  await daemon.api('POST', '/api/inspector/focus', { id, tabs: ['files', 'peers', 'trackers'] });
  for (const path of [
    '/api/torrents',
    '/api/stats',
    `/api/torrents/${id}/shares`,
    '/api/settings/limits',
    '/api/feeds',
  ]) {
    await daemon.api('GET', path);
  }
  await daemon.api('PUT', `/api/torrents/${id}/rate_limits`, { down_kbps: 0, up_kbps: -1 });
  await daemon.api('PUT', `/api/torrents/${id}/rate_limits`, { down_kbps: 0, up_kbps: 0 });
  await daemon.api('GET', '/api/torrents/0123/shares');
  await Promise.all(sockets);
  await daemon.api('POST', '/api/inspector/clear');
  await fetch(`${daemon.url}/api/logout`, { method: 'POST', headers: { cookie, origin: daemon.url } });
}

/** The cookie. An address may try once in 12 s. */
async function signIn({ url, adminPassword }: DaemonUnderTest, number: number): Promise<string> {
  const body = JSON.stringify({ username: 'admin', password: adminPassword });
  const headers = { 'content-type': 'application/json', origin: url };
  const localAddress = `127.6.0.${1 + (number % ADDRESSES)}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(`${url}/api/login`, { method: 'POST', headers, localAddress, agent: false }, resolve);
    asked.on('error', reject).end(body);
  });
  response.resume();
  const cookie = response.headers['set-cookie']?.[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`login: ${response.statusCode}`);
  return cookie;
}

/** Until it has shown what is looked at; then it is cut, as browsers do. */
function listen({ url }: DaemonUnderTest, cookie: string): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws`, { headers: { cookie, origin: url } });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no details')), TIMEOUT_MS);
    socket.on('message', (frame: Buffer) => {
      if (frame.includes('"inspector:tick"')) socket.terminate();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
