// Bytes by a seed, the same in each run.
import { createCipheriv } from 'node:crypto';

export function seededBytes(count: number, seed: number): Buffer {
  const key = Buffer.alloc(16, seed & 0xff);
  const iv = Buffer.alloc(16, (seed >> 8) & 0xff);
  return createCipheriv('aes-128-ctr', key, iv).update(Buffer.alloc(count));
}
