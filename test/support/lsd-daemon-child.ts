// A program for a namespace of its own: a whole daemon that has nothing but local service discovery to find peers by,
// with the torrent of its first argument below the save path of its second. Prints a line of JSON when it is complete.
// Ends, and the daemon with it, when its input does.
import { readFile } from 'node:fs/promises';
import { startDaemon } from './daemon.js';

const [, , torrentFile = '', savePath = ''] = process.argv;
const TIMEOUT_MS = 40_000;

const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve).resume());
const daemon = await startDaemon({ args: ['--lsd', 'on'], savePath });
// The input may end before the torrent is complete: then this is over, too.
await Promise.race([ended, complete()]);
await ended;
process.exitCode = (await daemon.stop()).code ?? 1;

async function complete(): Promise<void> {
  const id = await daemon.addTorrentFile(await readFile(torrentFile));
  const { peers } = await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  process.stdout.write(`${JSON.stringify({ complete: true, peers })}\n`);
}
