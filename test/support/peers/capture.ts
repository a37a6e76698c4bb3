// Every packet that leaves by an interface, by capture.py. Needs root.
import { join } from 'node:path';
import { startChild } from './child-process.js';
import { scriptPath } from './script-path.js';
import { waitUntil } from './wait-until.js';

const SCRIPT = join('test', 'support', 'peers', 'capture.py');
const START_TIMEOUT_MS = 10_000;

export interface CapturedPacket {
  /** `tcp`, `udp`, `icmp`, `arp`, or a number. */
  readonly kind: string;
  /** `address:port`; of ARP the address that is asked for. */
  readonly to: string;
}

export interface Capture {
  readonly packets: readonly CapturedPacket[];
  stop(): Promise<void>;
}

export async function startCapture(device: string): Promise<Capture> {
  const packets: CapturedPacket[] = [];
  let isReady = false;
  const child = await startChild('python3', ['-u', scriptPath(SCRIPT), device], {
    onLine: (line) => {
      const told = JSON.parse(line) as CapturedPacket | 'ready'; // written by capture.py
      if (told === 'ready') isReady = true;
      else packets.push(told);
    },
  });
  await waitUntil(
    'the capture',
    START_TIMEOUT_MS,
    () => isReady || undefined,
    () => child.stderr,
  );
  return { packets, stop: async () => void (await child.stop()) };
}
