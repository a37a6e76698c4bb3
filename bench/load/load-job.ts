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
});

export type LoadJob = z.infer<typeof loadJobSchema>;

export function parseLoadJob(text: string): LoadJob {
  return loadJobSchema.parse(JSON.parse(text));
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
