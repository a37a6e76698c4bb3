// Samples of the routes of docs/api.md, "Additions", that ban addresses.
import type { banRoutes } from '../../../../api/routes/bans.js';
import { OK, type Refusal, type Samples } from '../sample.js';

const bad = (name: string, body: object, error: string | RegExp): Refusal => ({
  name,
  call: { body },
  status: 400,
  error,
});

const REFUSALS: readonly Refusal[] = [
  bad('nothing', {}, 'addresses: required'),
  bad('none', { addresses: [] }, /^addresses: /),
  bad('too many', { addresses: Array(1_001).fill('1.2.3.4') }, /^addresses: /),
  bad('no text', { addresses: [7] }, 'addresses.0: expected string'),
  ...['', 'peer.example', '1.2.3', '1.2.3.4:6881', '[2001:db8::7]', '1.2.3.4/33', '2001:db8::/129', '/8'].map((text) =>
    bad(`"${text}"`, { addresses: ['1.2.3.4', text] }, `addresses: "${text}" is not an address or a network.`),
  ),
];

export const banSamples: Samples<typeof banRoutes> = {
  'GET /api/bans': {
    who: 'admin',
    call: async ({ asAdmin }) => {
      await asAdmin('POST', '/api/bans', { addresses: ['192.0.2.1'] });
      return {};
    },
    answer: [{ address: String, banned_at: Number, banned_by: 'admin' }],
  },
  'POST /api/bans': {
    who: 'admin',
    call: () => ({ body: { addresses: ['192.0.2.2', '2001:db8::/32'] } }),
    answer: { ok: true, added: Number },
    refusals: REFUSALS,
  },
  'DELETE /api/bans': {
    who: 'admin',
    call: async ({ asAdmin }) => {
      await asAdmin('POST', '/api/bans', { addresses: ['192.0.2.3'] });
      return { body: { addresses: ['192.0.2.3', '192.0.2.4'] } };
    },
    answer: OK,
    refusals: REFUSALS,
  },
};
