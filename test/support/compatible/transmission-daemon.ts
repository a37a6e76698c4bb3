// transmission-daemon as the tools of people know it: with an account, and its RPC on a free port.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.js';
import { startChild } from '../peers/child-process.js';
import { makeScratch } from '../peers/scratch.js';
import { transmissionSettings } from '../peers/transmission.js';
import { waitUntil } from '../peers/wait-until.js';
import type { Target } from './target.js';

const START_TIMEOUT_MS = 30_000;
const ACCOUNT = { username: 'admin', password: 'as good as any' };

export async function startTransmission(): Promise<Target> {
  const home = await makeScratch('transmission');
  const savePath = join(home.path, 'downloads');
  await mkdir(savePath);
  const [peerPort, port] = [await freePort(), await freePort()];
  const settings = {
    ...transmissionSettings(savePath, peerPort, port),
    // `tr_encryption_mode`: preferred, and PEX on, as Swarmd begins.
    encryption: 1,
    'pex-enabled': true,
    'rpc-authentication-required': true,
    'rpc-username': ACCOUNT.username,
    'rpc-password': ACCOUNT.password,
  };
  await writeFile(join(home.path, 'settings.json'), JSON.stringify(settings));
  const child = await startChild('transmission-daemon', ['--foreground', '--config-dir', home.path], {
    env: { http_proxy: undefined, HTTP_PROXY: undefined, all_proxy: undefined, ALL_PROXY: undefined },
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntil('Transmission answering', START_TIMEOUT_MS, () =>
    fetch(`${url}/transmission/rpc`).then(
      ({ status }) => (status === 401 ? true : undefined),
      () => {
        if (!child.isRunning) throw new Error(`Transmission has ended. ${child.stderr}`);
        return undefined;
      },
    ),
  );
  return {
    name: 'Transmission',
    url,
    ...ACCOUNT,
    savePath,
    get stderr() {
      return child.stderr;
    },
    async close() {
      await child.stop();
      await home.remove();
    },
  };
}
