// Which torrent has pieces hashed in the background, and how much of them in a second.
import t from 'tap';
import { Scrubber, type ScrubbedTorrent } from '../../../../engine/session/scrubber.js';

const MIB = 1024 * 1024;
const AFTER_START_MS = 600_000;

class Trusting implements ScrubbedTorrent {
  isProving = false;
  asked = 0;

  constructor(
    public left: number,
    private readonly pieceBytes = MIB,
  ) {}

  scrub(maxBytes: number): number {
    this.asked++;
    const pieces = Math.min(this.left, Math.max(1, Math.ceil(maxBytes / this.pieceBytes)));
    this.left -= pieces;
    return pieces * this.pieceBytes;
  }
}

function start(...torrents: Trusting[]) {
  const throttle = { isBusy: false };
  const all = new Map(torrents.map((torrent, index) => [index, torrent]));
  const scrubber = new Scrubber({ torrents: all, throttle, startedMs: 0 });
  let nowMs = AFTER_START_MS;
  const seconds = (count: number) => {
    for (let i = 0; i < count; i++) scrubber.tick((nowMs += 1_000));
  };
  return { scrubber, throttle, all, seconds };
}

void t.test('8 MiB a second, one torrent after the other', async (t) => {
  const [first, second] = [new Trusting(20), new Trusting(8)];
  const { scrubber, seconds } = start(first, new Trusting(0), second);
  scrubber.tick(AFTER_START_MS - 1);
  t.equal(first.left, 20, 'not soon after a start');
  seconds(1);
  t.equal(first.left, 12);
  seconds(2);
  t.same([first.left, second.left], [0, 8]);
  seconds(1);
  t.equal(second.left, 0);
});

void t.test('a piece of 32 MiB counts for four seconds', async (t) => {
  const torrent = new Trusting(2, 32 * MIB);
  const { seconds } = start(torrent);
  seconds(1);
  t.equal(torrent.left, 1);
  seconds(3);
  t.equal(torrent.left, 1);
  seconds(1);
  t.equal(torrent.left, 0);
});

void t.test('nothing while much moves, or while a slow disk still reads', async (t) => {
  const torrent = new Trusting(16);
  const { throttle, seconds } = start(torrent);
  throttle.isBusy = true;
  seconds(5);
  t.equal(torrent.left, 16);
  throttle.isBusy = false;
  seconds(1);
  torrent.isProving = true;
  seconds(5);
  t.equal(torrent.left, 8);
  torrent.isProving = false;
  seconds(1);
  t.equal(torrent.left, 0);
});

void t.test('where nothing is left it rests, and hears of what came meanwhile', async (t) => {
  const nothing = new Trusting(0);
  const { all, seconds } = start(nothing);
  seconds(30);
  t.equal(nothing.asked, 1);
  all.set(1, new Trusting(3));
  seconds(60);
  t.equal(all.get(1)?.left, 0);
});

void t.test('of very many some are asked in each second', async (t) => {
  const torrents = Array.from({ length: 2_500 }, () => new Trusting(0));
  const last = new Trusting(1);
  const { seconds } = start(...torrents, last);
  seconds(2);
  t.equal(
    torrents.reduce((sum, { asked }) => sum + asked, 0),
    2_000,
  );
  seconds(1);
  t.equal(last.left, 0);
});
