// What a raw end is told, and how it reports: see libtorrent-peer.py, whose reports look the same.
import { z } from 'zod';

const loadJobSchema = z.object({
  host: z.string(),
  port: z.int(),
  infoHash: z.string().length(40),
  /** The payload, which a raw seeder reads its one buffer from. */
  file: z.string(),
  bytes: z.int().positive(),
  pieceLength: z.int().positive(),
  blockCount: z.int().positive(),
  /** Connections, each from an address of its own where there are several: programs take few from the same. */
  peers: z.int().positive(),
});

export type LoadJob = z.infer<typeof loadJobSchema>;

export function parseLoadJob(text: string): LoadJob {
  return loadJobSchema.parse(JSON.parse(text));
}

/** Where the peer of this number connects from; nothing where there is one alone. */
export function rawAddress({ peers }: LoadJob, number: number): { localAddress?: string } {
  return peers === 1 ? {} : { localAddress: `127.20.${number >> 7}.${1 + (number & 127)}` };
}

/** Begun at once: programs hear only so many that have not said what they want. */
const GREETING_AT_ONCE = 8;

/** Starts the peers of a job: the first few at once, each of the others when one has been greeted. */
export function startPeers(job: LoadJob, start: (number: number, onGreeted: () => void) => void): void {
  let started = 0;
  const startNext = () => {
    if (started < job.peers) start(started++, startNext);
  };
  while (started < Math.min(GREETING_AT_ONCE, job.peers)) startNext();
}

/** 20 bytes, other than those of the other peers (BEP 20). */
export function rawPeerId(role: 'leecher' | 'seeder', number: number): string {
  return `-SB0001-${role.padEnd(7)}${String(number).padStart(5, '0')}`;
}

/** `t`: monotonic milliseconds. */
export interface ReportFields {
  readonly t?: number;
  readonly message?: string;
  readonly [figure: string]: number | string | undefined;
}

export function reportEvent(event: string, fields: ReportFields): void {
  process.stdout.write(`${JSON.stringify({ event, ...fields })}\n`);
}

/** The bench holds the other end of standard input: when it goes, so does this process. */
export function endWithParent(): void {
  process.stdin.on('end', () => process.exit(0)).resume();
}
