// A process of seeders that connect to a leecher and answer its requests from one buffer in memory: no disk, so that
// the leecher under test is what is measured. The payload repeats after PERIOD_BYTES (support/payload.ts). Argument: a
// LoadJob as JSON. Reports `first-byte` at the first block that one sends.
import { closeSync, openSync, readSync } from 'node:fs';
import { connect } from 'node:net';
import { PERIOD_BYTES } from '../support/payload.js';
import { monotonicMs } from '../support/wait.js';
import {
  endWithParent,
  parseLoadJob,
  rawAddress,
  rawPeerId,
  reportEvent,
  startPeers,
  type LoadJob,
} from './load-job.js';
import { fullBitfield, handshake, ID, message, PIECE_HEADER_BYTES, WireReader } from './wire.js';

const READ_BUFFER_BYTES = 64 * 1024;

let sent = 0;
/** All sockets read into it: what is read is dealt with before the next read. */
const readBuffer = Buffer.allocUnsafe(READ_BUFFER_BYTES);

endWithParent();
const job = parseLoadJob(process.argv[2] ?? '');
const period = readPeriod(job.file, Math.min(PERIOD_BYTES, job.bytes));
startPeers(job, (number, onGreeted) => seed(job, number, onGreeted, period));

function seed(job: LoadJob, number: number, onGreeted: () => void, period: Buffer): void {
  const answer = (frame: Buffer) => {
    const piece = frame.readUInt32BE(1);
    const begin = frame.readUInt32BE(5);
    const length = frame.readUInt32BE(9);
    const header = Buffer.allocUnsafe(PIECE_HEADER_BYTES);
    header.writeUInt32BE(9 + length, 0);
    header[4] = ID.piece;
    header.writeUInt32BE(piece, 5);
    header.writeUInt32BE(begin, 9);
    const at = (piece * job.pieceLength + begin) % PERIOD_BYTES;
    if (sent++ === 0) reportEvent('first-byte', { t: monotonicMs() });
    socket.write(header);
    socket.write(period.subarray(at, at + length));
  };
  const reader = new WireReader({
    onHandshake() {
      socket.write(fullBitfield(Math.ceil(job.bytes / job.pieceLength)));
      socket.write(message(ID.unchoke));
      onGreeted();
    },
    onMessage(id, frame) {
      if (id === ID.request) answer(frame);
    },
    onBlock: () => undefined,
  });
  const socket = connect({
    host: job.host,
    port: job.port,
    noDelay: true,
    ...rawAddress(job, number),
    onread: {
      buffer: readBuffer,
      callback(length) {
        // All answers to one read go out in one vectored write.
        socket.cork();
        reader.push(readBuffer.subarray(0, length));
        socket.uncork();
        return true;
      },
    },
  });
  socket.on('connect', () => socket.write(handshake(job.infoHash, rawPeerId('seeder', number))));
  socket.on('error', (error) => reportEvent('error', { message: error.message }));
}

function readPeriod(file: string, length: number): Buffer {
  const period = Buffer.alloc(length);
  const fd = openSync(file, 'r');
  readSync(fd, period);
  closeSync(fd);
  return period;
}
