// The moment at which a fetch ends and the settings change: whichever is first, nothing of an old fetch is kept.
import t from 'tap';
import { Blocklist } from '../../../../../api/services/settings/blocklist.js';
import { defaultSettings, Settings } from '../../../../../api/services/settings/settings.js';
import { SILENT_LOG } from '../../../../support/api-harness.js';

/** Reads end when they are told to, even after they were given up. */
function heldBlocklist() {
  const data = defaultSettings('/files');
  const collection = { data, update: async (change: (stored: typeof data) => void) => change(data) };
  const overrides = { savePath: null, peerPort: null, encryption: null, dht: null, lsd: null, upnp: null };
  const ends: ((entries: unknown) => void)[] = [];
  const egress = {
    check: async () => undefined,
    // The list's lines are counted by the reader, which here says what it likes.
    read: <Result>() => new Promise<Result>((resolve) => ends.push((entries) => resolve(entries as Result))),
  };
  const settings = new Settings(collection, overrides);
  return { ends, blocklist: new Blocklist({ settings, egress, log: SILENT_LOG, now: () => 7 }) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

void t.test('a fetch that ends is recorded', async (t) => {
  const { blocklist, ends } = heldBlocklist();
  await blocklist.set({ url: 'https://a.example/', enabled: true });
  ends[0]?.(3);
  await settled();
  t.match(blocklist.shown({ withSecrets: true }), { entries: 3, last_loaded_at: 7 });
});

void t.test('a fetch that ends after the list was disabled is not', async (t) => {
  const { blocklist, ends } = heldBlocklist();
  await blocklist.set({ url: 'https://a.example/', enabled: true });
  await blocklist.set({ url: 'https://a.example/', enabled: false });
  ends[0]?.(3);
  await settled();
  t.match(blocklist.shown({ withSecrets: true }), { enabled: false, entries: 0, last_loaded_at: 0 });
});

void t.test('of two fetches only the later one is, whichever ends first', async (t) => {
  const { blocklist, ends } = heldBlocklist();
  await blocklist.set({ url: 'https://a.example/', enabled: true });
  await blocklist.set({ url: 'https://b.example/', enabled: true });
  ends[1]?.(2);
  await settled();
  ends[0]?.(1);
  await settled();
  t.match(blocklist.shown({ withSecrets: true }), { url: 'https://b.example/', entries: 2 });
});
