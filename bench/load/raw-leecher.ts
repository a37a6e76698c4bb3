// A process that asks a seeder for every block once and throws the answers away: no hashing, no disk, one reused read
// buffer, so that the seeder under test is what is measured. Argument: a LoadJob as JSON. Reports `first-byte` and
// `finished`, then stays, so that the seeder does not see its peer go while it is being measured.
import { connect, type Socket } from 'node:net';
import { monotonicMs } from '../support/wait.js';
import { endWithParent, parseLoadJob, reportEvent, type LoadJob } from './load-job.js';
import { BLOCK_BYTES, handshake, ID, message, REQUEST_BYTES, WireReader } from './wire.js';

/** Blocks asked for and not yet got: 8 MiB. Programs accept 500 and more without being asked (Transmission: 512). */
const PIPELINE = 500;
/** Requests go out when this many may: a few writes for each MiB. */
const REQUEST_BATCH = 32;
const READ_BUFFER_BYTES = 1024 * 1024;

endWithParent();
leech(parseLoadJob(process.argv[2] ?? ''));

function leech(job: LoadJob): void {
  let requested = 0;
  let received = 0;
  let isChoked = true;
  let choker: Socket | null = null;

  const askMore = () => {
    const room = Math.min(PIPELINE - (requested - received), job.blockCount - requested);
    if (isChoked || room < Math.min(REQUEST_BATCH, job.blockCount - requested) || room === 0) return;
    const batch = Buffer.allocUnsafe(room * REQUEST_BYTES);
    for (let i = 0; i < room; i++) writeRequest(batch, i * REQUEST_BYTES, job, requested++);
    choker?.write(batch);
  };
  const reader = new WireReader({
    onHandshake: () => void choker?.write(message(ID.interested)),
    onMessage(id) {
      if (id === ID.choke && received < job.blockCount) reportEvent('error', { message: 'choked half-way' });
      if (id === ID.unchoke) isChoked = false;
    },
    onBlock() {
      if (received++ === 0) reportEvent('first-byte', { t: monotonicMs() });
    },
  });
  const readBuffer = Buffer.allocUnsafe(READ_BUFFER_BYTES);
  choker = connect({
    host: job.host,
    port: job.port,
    noDelay: true,
    onread: {
      buffer: readBuffer,
      callback(length) {
        const before = received;
        reader.push(readBuffer.subarray(0, length));
        if (received === job.blockCount && before < received) reportEvent('finished', { t: monotonicMs() });
        askMore();
        return true;
      },
    },
  });
  choker.on('connect', () => choker?.write(handshake(job.infoHash, '-SB0001-raw-leecher-')));
  choker.on('error', (error) => reportEvent('error', { message: error.message }));
  choker.on('close', () => {
    if (received < job.blockCount) reportEvent('error', { message: `closed after ${received} blocks` });
  });
}

function writeRequest(into: Buffer, at: number, job: LoadJob, block: number): void {
  const offset = block * BLOCK_BYTES;
  const piece = Math.floor(offset / job.pieceLength);
  into.writeUInt32BE(13, at);
  into[at + 4] = ID.request;
  into.writeUInt32BE(piece, at + 5);
  into.writeUInt32BE(offset - piece * job.pieceLength, at + 9);
  into.writeUInt32BE(Math.min(BLOCK_BYTES, job.bytes - offset), at + 13);
}
