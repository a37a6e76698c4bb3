// Media files made by code: small, real, and known to every player.

/** A second of silence: 8,000 samples of 16 bits, one channel (RIFF WAVE, PCM). */
export function makeWav(seconds = 1): Buffer {
  const [sampleRate, bytesPerSample] = [8_000, 2];
  const data = Buffer.alloc(seconds * sampleRate * bytesPerSample);
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(sampleRate, 4);
  format.writeUInt32LE(sampleRate * bytesPerSample, 8);
  format.writeUInt16LE(bytesPerSample, 12);
  format.writeUInt16LE(8 * bytesPerSample, 14);
  const chunks = Buffer.concat([Buffer.from('WAVE'), riff('fmt ', format), riff('data', data)]);
  return riff('RIFF', chunks);
}

function riff(name: string, bytes: Buffer): Buffer {
  const head = Buffer.alloc(8, name);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
}

/** A second of nothing (MPEG-1 Layer 3), with a title (ID3v2.3, UTF-8). */
export function makeMp3(title: string): Buffer {
  const text = Buffer.concat([Buffer.from([3]), Buffer.from(title)]);
  const frame = Buffer.alloc(10, 'TIT2\0\0');
  frame.writeUInt32BE(text.length, 4);
  frame.writeUInt16BE(0, 8);
  const tag = Buffer.alloc(10, 'ID3\x03\0\0');
  const length = frame.length + text.length;
  for (let byte = 0; byte < 4; byte++) tag[6 + byte] = (length >> (7 * (3 - byte))) & 0x7f;
  const sound = Buffer.alloc(417);
  sound.writeUInt32BE(0xff_fb_90_00, 0);
  return Buffer.concat([tag, frame, text, ...Array.from({ length: 40 }, () => sound)]);
}

/** ISO base media: a box of a name, which may lie about its size. */
export function box(name: string, content: Buffer, sizeBytes = content.length + 8): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(sizeBytes, 0);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** What begins as a media file and then is none. */
export function hostileMedia(): ReadonlyMap<string, Buffer> {
  const wav = makeWav();
  const lying = Buffer.from(wav);
  lying.writeUInt32LE(0xffff_ffff, 4);
  lying.writeUInt32LE(0xffff_fffe, 16);
  let nested = box('stts', Buffer.alloc(8, 0xff));
  for (let depth = 0; depth < 2_000; depth++) nested = box(['moov', 'trak', 'mdia'][depth % 3]!, nested);
  const table = box('stsz', Buffer.concat([Buffer.alloc(8), Buffer.alloc(4, 0x7f)]), 0x7fff_fff0);
  const type = box('ftyp', Buffer.from('isom\0\0\0\0isom'));
  return new Map([
    ['nothing', Buffer.alloc(0)],
    ['cut off', wav.subarray(0, 30)],
    ['sizes that lie', lying],
    ['boxes in boxes', Buffer.concat([type, nested])],
    ['a table of two thousand million', Buffer.concat([type, box('moov', box('trak', box('mdia', table)))])],
    ['a box without a size', Buffer.concat([type, box('moov', Buffer.alloc(100), 0)])],
    ['Matroska of unknown length', Buffer.from(`1a45dfa3${'01ffffffffffffff'.repeat(200)}18538067`, 'hex')],
    ['one byte again and again', Buffer.alloc(300_000, 0x47)],
  ]);
}
