// A video that needs no encoder: uncompressed frames in an AVI (RIFF), whose index lies at its end, where players look for
// it before they begin.

/** Frames of this many pixels each way, three bytes each. */
const SIDE = 64;
const FRAME_BYTES = SIDE * SIDE * 3;
const FRAMES_PER_SECOND = 25;
const HAS_INDEX = 0x10;
const KEY_FRAME = 0x10;

export function makeAvi(frames: number): Buffer {
  const main = numbers([1e6 / FRAMES_PER_SECOND, 0, 0, HAS_INDEX, frames, 0, 1, FRAME_BYTES, SIDE, SIDE, 0, 0, 0, 0]);
  const stream = Buffer.concat([
    Buffer.from('vidsDIB '),
    numbers([0, 0, 0, 1, FRAMES_PER_SECOND, 0, frames, FRAME_BYTES, 0xffffffff, 0, 0, SIDE | (SIDE << 16)]),
  ]);
  const planesAndBits = 1 | (24 << 16);
  const format = numbers([40, SIDE, SIDE, planesAndBits, 0, FRAME_BYTES, 0, 0, 0, 0]);
  const header = list('hdrl', [chunk('avih', main), list('strl', [chunk('strh', stream), chunk('strf', format)])]);
  const pictures = Array.from({ length: frames }, (_, n) => chunk('00db', Buffer.alloc(FRAME_BYTES, n)));
  const places = pictures.map((_, n) =>
    Buffer.concat([Buffer.from('00db'), numbers([KEY_FRAME, 4 + n * (FRAME_BYTES + 8), FRAME_BYTES])]),
  );
  const content = [Buffer.from('AVI '), header, list('movi', pictures), chunk('idx1', Buffer.concat(places))];
  return chunk('RIFF', Buffer.concat(content));
}

function chunk(kind: string, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(kind), numbers([content.length]), content]);
}

function list(kind: string, chunks: readonly Buffer[]): Buffer {
  return chunk('LIST', Buffer.concat([Buffer.from(kind), ...chunks]));
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [nth, value] of values.entries()) bytes.writeUInt32LE(value, 4 * nth);
  return bytes;
}
