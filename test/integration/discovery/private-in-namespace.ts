// Private torrents and local service discovery (BEP 27, BEP 14): a TAP program for a network namespace of its own, where
// announcements reach nobody but those who take part. private.test.ts runs it.
import t, { type Test } from 'tap';
import { createSocket, type Socket } from 'node:dgram';
import { mkdir } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InfoHash } from '../../../shared-protocol/ids.js';
import { startDaemon } from '../../support/daemon.js';
import { startMagnetPeer, type MagnetPeer } from '../../support/peers/magnet-peer.js';
import { KIB, MIB, writePayload } from '../../support/peers/payload.js';
import { privateTwin } from '../../support/peers/private-payload.js';
import { makeScratch } from '../../support/peers/scratch.js';
import { waitUntil } from '../../support/peers/wait-until.js';

/** BEP 14 */
const GROUP = '239.192.152.143';
const PORT = 6771;
const TOTAL_BYTES = MIB;
const TIMEOUT_MS = 15_000;
/** Longer than until the third announcement of a torrent, at 4 s; the next one comes after minutes. */
const LAST_OF_THE_FIRST_MS = 5_000;

// It ends by itself: nobody else could end what it has started.
t.setTimeout(80_000);

void t.test('private torrents on a local network', async (t) => {
  t.jobs = 2;
  const home = await makeScratch('home', 3 * TOTAL_BYTES);
  t.teardown(() => home.remove());
  const neighbour = await join();
  t.teardown(() => neighbour.close());
  const daemon = await startDaemon({ args: ['--lsd', 'on'], encryption: 'allowed' });
  t.teardown(() => daemon.stop());
  const twins = async (seed: number) => {
    const open = await writePayload(home.path, TOTAL_BYTES, 64 * KIB, seed);
    return { open, secret: privateTwin(open) };
  };

  void t.test('known from the start', async (t) => {
    const { open, secret } = await twins(1);
    const peers = { secret: await wait(t, neighbour, secret.infoHash), open: await wait(t, neighbour, open.infoHash) };
    for (const { infoHash, torrent } of [secret, open]) {
      await daemon.addTorrentFile(torrent(), home.path);
      await daemon.waitFor(infoHash, ({ verifying }) => !verifying, TIMEOUT_MS);
    }
    await seen('the twin is announced', () => neighbour.heard(open.infoHash) > 0);
    // As long as the twin is announced, so would the private one be; answers come as often.
    for (const [payload, peer] of [
      [secret, peers.secret],
      [open, peers.open],
    ] as const) {
      await neighbour.announce(payload.infoHash, peer.port);
    }
    await seen('the neighbour is dialled for the twin', () => peers.open.isConnected);
    await sleep(LAST_OF_THE_FIRST_MS);
    t.equal(neighbour.heard(secret.infoHash), 0, 'nobody hears of it');
    t.equal(peers.secret.calls, 0, 'nobody is believed');
  });

  void t.test('a magnet that turns out to be private', async (t) => {
    const { open, secret } = await twins(2);
    const swarms = [];
    for (const { infoHash, infoBytes, magnet } of [secret, open]) {
      const byHand = await startMagnetPeer(infoHash, { infoBytes });
      t.teardown(() => byHand.close());
      const fromLsd = await wait(t, neighbour, infoHash);
      await mkdir(`${home.path}/${infoHash}`);
      await daemon.addMagnet(magnet(), `${home.path}/${infoHash}`);
      await daemon.addPeers(infoHash, byHand.address);
      await seen('announced', () => neighbour.heard(infoHash) > 0);
      await neighbour.announce(infoHash, fromLsd.port);
      await seen('connected', () => byHand.isConnected && fromLsd.isConnected);
      swarms.push({ infoHash, byHand, fromLsd });
    }
    for (const { infoHash, byHand } of swarms) {
      await byHand.giveInfo();
      await daemon.waitFor(infoHash, ({ total_bytes }) => total_bytes === TOTAL_BYTES, TIMEOUT_MS);
    }
    const [atSecret, atOpen] = swarms;
    if (!atSecret || !atOpen) throw new Error('bug: two swarms');
    await seen('the neighbour is left', () => !atSecret.fromLsd.isConnected);
    const announced = neighbour.heard(secret.infoHash);
    const late = { secret: await wait(t, neighbour, secret.infoHash), open: await wait(t, neighbour, open.infoHash) };
    await neighbour.announce(secret.infoHash, late.secret.port);
    await neighbour.announce(open.infoHash, late.open.port);
    await seen('another neighbour is dialled for the twin', () => late.open.isConnected);
    await sleep(LAST_OF_THE_FIRST_MS);
    t.equal(neighbour.heard(secret.infoHash), announced, 'announced no more');
    t.equal(late.secret.calls, 0, 'nobody is believed');
    t.ok(atSecret.byHand.isConnected, 'by hand stays');
    t.ok(atOpen.byHand.isConnected && atOpen.fromLsd.isConnected, 'the twin: both stay');
  });
});

interface Neighbour {
  readonly host: string;
  /** Announcements of others that named the torrent. */
  heard(infoHash: InfoHash): number;
  announce(infoHash: InfoHash, port: number): Promise<void>;
  close(): Promise<void>;
}

/** Takes part in the group at the interface that is not loopback. */
async function join(): Promise<Neighbour> {
  const infos = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const host = infos.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
  if (host === undefined) throw new Error('no interface: to be run in a network namespace');
  const heard: string[] = [];
  const socket: Socket = createSocket({ type: 'udp4', reuseAddr: true });
  socket.on('message', (bytes) => heard.push(bytes.toString('latin1').toLowerCase()));
  await new Promise<void>((resolve, reject) => socket.once('error', reject).bind(PORT, resolve));
  socket.addMembership(GROUP, host);
  socket.setMulticastInterface(host);
  const own = 'cookie: the-neighbour';
  return {
    host,
    heard: (infoHash) => heard.filter((text) => !text.includes(own) && text.includes(infoHash)).length,
    announce: (infoHash, port) => {
      const lines = [`Host: ${GROUP}:${PORT}`, `Port: ${port}`, `Infohash: ${infoHash}`, own, '', ''];
      const text = ['BT-SEARCH * HTTP/1.1', ...lines].join('\r\n');
      return new Promise((resolve, reject) => {
        socket.send(text, PORT, GROUP, (error) => (error ? reject(error) : resolve()));
      });
    },
    close: () => new Promise((resolve) => void socket.close(() => resolve())),
  };
}

/** A peer where announcements say that one is. */
async function wait(t: Test, { host }: Neighbour, infoHash: InfoHash): Promise<MagnetPeer> {
  const peer = await startMagnetPeer(infoHash, { host });
  t.teardown(() => peer.close());
  return peer;
}

async function seen(what: string, condition: () => boolean): Promise<void> {
  await waitUntil(what, TIMEOUT_MS, () => condition() || undefined);
}
