// Swarmd as a target: its administrator signs in with user name and password, as people enter them into their tools.
import { startDaemon, type DaemonUnderTest, type StartDaemonOptions } from '../daemon.js';
import type { Target } from './target.js';

export interface SwarmdTarget extends Target {
  readonly daemon: DaemonUnderTest;
}

export async function startSwarmd(options: StartDaemonOptions = {}): Promise<SwarmdTarget> {
  const daemon = await startDaemon(options);
  return {
    name: 'Swarmd',
    daemon,
    url: daemon.url,
    username: 'admin',
    password: daemon.adminPassword,
    savePath: daemon.savePath,
    get stderr() {
      return daemon.stderr;
    },
    async close() {
      await daemon.stop();
    },
  };
}
