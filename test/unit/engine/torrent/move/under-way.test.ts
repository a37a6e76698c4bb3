// How far a move or rename is: what the torrent hears of it, and who waits for its end.
import t from 'tap';
import { UnderWay, type Phase } from '../../../../../engine/torrent/move/under-way.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

function setScene() {
  const clock = new VirtualClock();
  const heard: [Phase, Phase][] = [];
  const underWay = new UnderWay({
    services: { clock },
    change(mutate) {
      const before = underWay.phase;
      mutate();
      heard.push([before, underWay.phase]);
    },
  });
  return { clock, heard, underWay };
}

void t.test('the torrent hears of all but the question', (t) => {
  const { heard, underWay } = setScene();
  underWay.ask();
  underWay.enter('waiting');
  underWay.enter('copying');
  underWay.enter('cleaning');
  underWay.rest();
  underWay.rest();
  t.strictSame(heard, [
    ['asked', 'waiting'],
    ['waiting', 'copying'],
    ['copying', 'cleaning'],
    ['cleaning', 'none'],
  ]);
  t.end();
});

void t.test('another fact changes in the same moment', (t) => {
  const { underWay } = setScene();
  underWay.enter('copying', () => t.equal(underWay.phase, 'copying'));
  t.end();
});

void t.test('a person ends what is being copied, and nothing else', (t) => {
  const { underWay } = setScene();
  for (const enter of [() => underWay.ask(), () => underWay.enter('waiting'), () => underWay.enter('cleaning')]) {
    enter();
    underWay.endCopying();
    t.notOk(underWay.isStopped(), underWay.phase);
  }
  underWay.enter('copying');
  underWay.endCopying();
  t.equal(underWay.endedBy, 'person');
  underWay.forgetEnd();
  t.notOk(underWay.isStopped(), 'what comes next goes on');
  t.end();
});

const ENDS = [
  { name: 'nothing is under way any more', end: ({ underWay }: ReturnType<typeof setScene>) => underWay.rest() },
  { name: 'the engine stops', end: ({ underWay }: ReturnType<typeof setScene>) => underWay.stop() },
  { name: 'the time is over', end: ({ clock }: ReturnType<typeof setScene>) => clock.advance(1_000) },
];
for (const { name, end } of ENDS) {
  void t.test(`whoever waits does so until ${name}`, async (t) => {
    const scene = setScene();
    scene.underWay.enter('waiting');
    let isOver = false;
    const waiting = scene.underWay.restedWithin(1_000).then(() => (isOver = true));
    await scene.clock.advance(999);
    t.notOk(isOver);
    await end(scene);
    await waiting;
    t.equal(scene.clock.pendingTimers, 0, 'and leaves no timer');
  });
}

void t.test('nothing to wait for', async (t) => {
  const { clock, underWay } = setScene();
  await underWay.restedWithin(1_000);
  t.equal(clock.pendingTimers, 0);
});

void t.test('bytes are counted anew for each', (t) => {
  const { underWay } = setScene();
  underWay.onFound(100);
  underWay.onBytes(40);
  underWay.onBytes(20);
  t.strictSame([underWay.bytesDone, underWay.bytesTotal], [60, 100]);
  underWay.onFound(7);
  t.strictSame([underWay.bytesDone, underWay.bytesTotal], [0, 7]);
  t.end();
});
