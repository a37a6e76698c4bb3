// A process of leechers that ask a seeder for every block once between them and throw the answers away: no hashing, no
// disk, one reused read buffer, so that the seeder under test is what is measured. Argument: a LoadJob as JSON. Reports
// `first-byte` and `finished`, then stays, so that the seeder does not see its peers go while it is being measured.
import { connect, type Socket } from 'node:net';
import { monotonicMs } from '../support/wait.js';
import { BlockShare } from './block-share.js';
import {
  endWithParent,
  parseLoadJob,
  rawAddress,
  rawPeerId,
  reportEvent,
  startPeers,
  type LoadJob,
} from './load-job.js';
import { BLOCK_BYTES, handshake, ID, message, REQUEST_BYTES, WireReader } from './wire.js';

/** Blocks asked for and not yet got: 8 MiB. Programs accept 500 and more without being asked (Transmission: 512). */
const PIPELINE = 500;
/** The same where there are several. */
const PIPELINE_OF_MANY = 64;
/** Requests go out when this many may: a few writes for each MiB. */
const REQUEST_BATCH = 32;
const READ_BUFFER_BYTES = 1024 * 1024;

/** All sockets read into it: what is read is dealt with before the next read. */
const readBuffer = Buffer.allocUnsafe(READ_BUFFER_BYTES);

interface LeecherOptions {
  readonly job: LoadJob;
  readonly number: number;
  readonly share: BlockShare;
  readonly onGreeted: () => void;
  readonly onGivenBack: () => void;
}

class Leecher {
  readonly #asked = new Set<number>();
  readonly #pipeline: number;
  readonly #socket: Socket;
  #isChoked = true;

  constructor(private readonly options: LeecherOptions) {
    const { job, number, share, onGreeted } = options;
    this.#pipeline = job.peers === 1 ? PIPELINE : PIPELINE_OF_MANY;
    const reader = new WireReader({
      onHandshake: () => {
        this.#socket.write(message(ID.interested));
        onGreeted();
      },
      onMessage: (id) => this.#onMessage(id),
      onBlock: (_length, piece, begin) => this.#onBlock((piece * job.pieceLength + begin) / BLOCK_BYTES),
    });
    const callback = (length: number) => {
      reader.push(readBuffer.subarray(0, length));
      this.askMore();
      return true;
    };
    const { host, port, infoHash } = job;
    const onread = { buffer: readBuffer, callback };
    this.#socket = connect({ host, port, noDelay: true, ...rawAddress(job, number), onread });
    this.#socket.on('connect', () => this.#socket.write(handshake(infoHash, rawPeerId('leecher', number))));
    this.#socket.on('error', (error) => reportEvent('error', { message: error.message }));
    this.#socket.on('close', () => {
      if (!share.isComplete) reportEvent('error', { message: `closed after ${share.received} blocks` });
    });
  }

  askMore(): void {
    const { job, share } = this.options;
    const room = this.#pipeline - this.#asked.size;
    if (this.#isChoked || room < REQUEST_BATCH) return;
    const blocks = share.take(room);
    if (blocks.length === 0) return;
    const batch = Buffer.allocUnsafe(blocks.length * REQUEST_BYTES);
    blocks.forEach((block, i) => {
      this.#asked.add(block);
      writeRequest(batch, i * REQUEST_BYTES, job, block);
    });
    this.#socket.write(batch);
  }

  /** Who chokes forgets what was asked (BEP 3): without BEP 6 it does not say so of each block. */
  #onMessage(id: number): void {
    if (id === ID.unchoke) this.#isChoked = false;
    if (id !== ID.choke) return;
    this.#isChoked = true;
    this.options.share.giveBack(this.#asked);
    this.#asked.clear();
    this.options.onGivenBack();
  }

  #onBlock(block: number): void {
    if (!this.#asked.delete(block)) return reportEvent('error', { message: `block ${block} came unasked` });
    const { share } = this.options;
    if (share.received++ === 0) reportEvent('first-byte', { t: monotonicMs() });
    if (share.isComplete) reportEvent('finished', { t: monotonicMs() });
  }
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

endWithParent();
const job = parseLoadJob(process.argv[2] ?? '');
const share = new BlockShare(job.blockCount);
const leechers: Leecher[] = [];
const askAll = () => {
  for (const leecher of leechers) leecher.askMore();
};
startPeers(job, (number, onGreeted) => {
  leechers.push(new Leecher({ job, number, share, onGreeted, onGivenBack: askAll }));
});
