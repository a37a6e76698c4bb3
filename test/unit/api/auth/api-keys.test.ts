// API keys: their form, and that only a digest is needed to know one again.
import { randomBytes } from 'node:crypto';
import t from 'tap';
import { digestOf, newApiKey, sameDigest } from '../../../../api/auth/api-keys.js';

void t.test('32 random bytes, a hint of 4 characters, a SHA-256', async (t) => {
  const { key, digest, hint } = newApiKey(randomBytes);
  t.match(key, /^[A-Za-z0-9_-]{43}$/);
  t.equal(hint, key.slice(-4));
  t.match(digest, /^[0-9a-f]{64}$/);
  t.equal(digestOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', 'FIPS 180 vector');
  t.ok(sameDigest(digestOf(key), digest));
  t.notOk(sameDigest(digestOf(`${key}.`), digest));
  t.notOk(sameDigest('', digest));
});
