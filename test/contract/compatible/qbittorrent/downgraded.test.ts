// An account that may edit no longer: passkeys that it was shown before are in no answer made since.
import t from 'tap';
import { EDITED, HIDDEN, PASSKEY, setTransmissionScene } from '../../../support/transmission-scene.js';

interface MainData {
  readonly rid: number;
  readonly torrents?: Readonly<Record<string, { readonly magnet_uri?: string }>>;
  readonly trackers?: Readonly<Record<string, readonly string[]>>;
}

void t.test('a list and a difference after editing was taken away have no passkey of the torrent', async (t) => {
  const { harness, annScript, adminScript, annId } = await setTransmissionScene(t);
  const mainData = async (rid: number) =>
    (await harness.call('GET', `/api/v2/sync/maindata?rid=${rid}`, { headers: annScript.headers })).json<MainData>();
  const secret = PASSKEY.split('/')[3]!;
  const first = await mainData(0);
  t.match(first.torrents?.[EDITED]?.magnet_uri, secret);
  t.ok(first.trackers?.[PASSKEY]?.includes(EDITED));
  await adminScript.ask('POST', `/api/torrents/${EDITED}/shares`, { user_id: annId, access: 'viewer' });
  for (const rid of [first.rid, 0]) {
    const { torrents = {}, trackers = {} } = await mainData(rid);
    t.ok(torrents[EDITED]?.magnet_uri);
    t.notMatch(torrents[EDITED]?.magnet_uri, secret);
    t.notOk(trackers[PASSKEY]?.includes(EDITED));
    t.notOk(torrents[HIDDEN]);
  }
});
