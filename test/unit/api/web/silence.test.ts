// When a connection that says nothing is told of, and given up.
import t from 'tap';
import { verdictOn } from '../../../../api/web/src/live/silence.js';

const verdict = (silentMs: number, isAnswering: boolean | null, awakeMs: number | null = null) =>
  verdictOn({ silentMs, isAnswering, awakeMs });

void t.test('a second without a frame is nothing', (t) => {
  t.equal(verdict(1_000, null), 'wait');
  t.equal(verdict(1_000, false), 'wait', 'an answer of before does not count');
  t.end();
});

void t.test('nobody is told before the server has been asked', (t) => {
  t.equal(verdict(3_500, null), 'wait');
  t.equal(verdict(3_500, false), 'say');
  t.end();
});

void t.test('who answers may be sending a large frame, but not for ever', (t) => {
  t.equal(verdict(20_000, true), 'wait');
  t.equal(verdict(60_000, true), 'giveUp');
  t.end();
});

void t.test('who does not answer is given up', (t) => {
  t.equal(verdict(9_000, false), 'say');
  t.equal(verdict(11_000, false), 'giveUp');
  t.equal(verdict(11_000, null), 'wait', 'after a sleep it is asked first');
  t.end();
});

void t.test('after a sleep a socket that says nothing is not waited for', (t) => {
  t.equal(verdict(8_000, true, 1_000), 'wait');
  t.equal(verdict(8_000, true, 2_000), 'giveUp');
  t.equal(verdict(8_000, null, 2_000), 'wait');
  t.end();
});
