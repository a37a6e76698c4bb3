// The engine thread's entry: brings the real clock, network, disk, store and hashing to the session. Wiring only.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { AddressPolicy, parseCidrs } from '../shared-protocol/address-policy.js';
import { AppError } from '../shared-protocol/errors.js';
import { descriptorLimit } from '../shared-protocol/descriptors.js';
import { backgroundClock, systemClock } from '../shared-protocol/clock.js';
import { LeaseEnd } from '../shared-protocol/lease-end.js';
import { Outlet } from '../shared-protocol/network/outlet.js';
import { OwnAddresses } from '../shared-protocol/own-addresses.js';
import { returnMemoryWhenQuiet } from '../shared-protocol/quiet-memory.js';
import { handleUncaught } from '../shared-protocol/uncaught.js';
import { openTorrentStore } from '../storage/lmdb-torrent-store.js';
import { realLocation } from '../storage/real-location.js';
import { SharedRootStore } from '../storage/shared-roots/shared-root-store.js';
import { createEngine } from './core.js';
import { createDisk, refusePlaces } from './disk/index.js';
import { EventLog } from './event-log.js';
import { exposeEngine } from './expose.js';
import { createHasher, createSlab } from './hashing/index.js';
import { openFileLimit, peersThatFit } from './net/descriptors.js';
import { systemRandom } from './net/system-random.js';
import { createTcpNetwork, READ_BUFFER_BYTES } from './net/tcp-network.js';
import { Blocklist } from './peers/blocklist.js';
import { Session } from './session/session.js';
import { webSeedsOnDemand } from './webseed/index.js';
import { MACHINE_STATE_BYTES, Rc4Machine } from './wire/mse/rc4.js';
import { createAnnounceQueue, createUdpTrackerClient, httpTrackersOnDemand } from './tracker/index.js';

if (!parentPort) throw new AppError('BUG', 'bug: the engine is started as a worker thread');

returnMemoryWhenQuiet(backgroundClock);
exposeEngine(parentPort, (emit) => {
  const log = new EventLog(emit);
  const handlers = {
    survived: (error: Error) => log.error('bug: error of a socket that nobody handled', { reason: error.stack ?? '' }),
    // Out of the thread, to the transport that watches over it.
    fatal: (error: unknown) => {
      throw error;
    },
  };
  handleUncaught(handlers);
  return createEngine({
    emit,
    unixMs: () => systemClock.unixMs(),
    async createSession(options, events) {
      log.setLevel(options.logLevel);
      // What sockets read lies in the slab's memory, and the cipher's state behind it: nothing is copied to decipher.
      const slab = createSlab(options.slabBytes, READ_BUFFER_BYTES + MACHINE_STATE_BYTES);
      const outlet = new Outlet({ clock: systemClock, nameServers: options.nameServers }, options.network);
      const readBuffer = slab.readBuffer.subarray(0, READ_BUFFER_BYTES);
      const { sharing, backupDir } = options;
      const refuses = refusePlaces({
        own: realpathSync(options.dataDir),
        // It may not be there until the first one is written.
        backups: backupDir === undefined ? undefined : (await realLocation(backupDir)).path,
        shared: sharing?.roots,
        roots: options.roots,
      });
      // Out of the thread: its successor opens the store anew. Whoever waits for the commit is answered first.
      const leave = (reason: AppError) => void setImmediate(() => handlers.fatal(reason));
      const own = openTorrentStore(join(options.dataDir, 'torrents'), leave);
      const leaseEnd = sharing && new LeaseEnd(sharing.leaseEnd);
      const assertMayWrite = leaseEnd && (() => leaseEnd.assertBefore());
      const shared = sharing && (await SharedRootStore.open(own, { ...sharing, assertMayWrite, log }));
      const deps = {
        clock: systemClock,
        random: systemRandom,
        log,
        network: createTcpNetwork(readBuffer, outlet),
        outlet,
        disk: createDisk({ partsDir: join(options.dataDir, 'parts'), refuses, assertMayWrite, log }),
        store: shared ?? own,
        ...(shared && { exchange: shared }),
        slab,
        rc4: new Rc4Machine(slab.memory, readBuffer.byteOffset + READ_BUFFER_BYTES),
        hasher: createHasher({ slab: slab.buffer, log }, { threads: options.hashThreads }),
      };
      const blocklist = new Blocklist();
      const addresses = new OwnAddresses(() => systemClock.nowMs());
      const policy = new AddressPolicy(parseCidrs(options.fetchAllow), (address) => addresses.has(address));
      const { names } = outlet;
      const targets = { names, outlet, policy, isBlocked: (address: string) => blocklist.has(address) };
      return new Session(
        {
          ...deps,
          blocklist,
          addresses: policy,
          names,
          webSeeds: webSeedsOnDemand(deps, targets),
          createAnnounces: (identity, onExternalIp) =>
            createAnnounceQueue({
              ...deps,
              identity,
              onExternalIp,
              http: httpTrackersOnDemand(targets),
              udp: createUdpTrackerClient({ clock: systemClock, random: systemRandom }, targets),
            }),
        },
        { ...options, maxPeers: Math.min(options.maxPeers, peersThatFit(descriptorLimit(), openFileLimit())) },
        events,
      );
    },
  });
});
