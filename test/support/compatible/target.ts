// A program that a tool of another program drives: the real one, or Swarmd in its place.
import type { Test } from 'tap';

export interface Target {
  readonly name: 'Swarmd' | 'qBittorrent' | 'Transmission';
  /** `http://127.0.0.1:port`, without a path. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Where its torrents lie unless they are told otherwise. */
  readonly savePath: string;
  /** The end of what it wrote to standard error. */
  readonly stderr: string;
  /** Also when it has ended already. */
  close(): Promise<void>;
}

/** `host:port` of where it is asked. */
export function hostOf(target: Target): string {
  return new URL(target.url).host;
}

export function basicOf({ username, password }: Target): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Started for a test and ended after it. */
export async function forTest<Started extends Target>(t: Test, start: () => Promise<Started>): Promise<Started> {
  const target = await start();
  t.teardown(() => target.close());
  return target;
}
