// When a connection that says nothing is told of, and given up.
import t from 'tap';
import { verdictOn } from '../../../../api/web/src/live/silence.js';

void t.test('a second without a frame is nothing', (t) => {
  t.equal(verdictOn(1_000, null), 'wait');
  t.equal(verdictOn(1_000, false), 'wait', 'an answer of before does not count');
  t.end();
});

void t.test('nobody is told before the server has been asked', (t) => {
  t.equal(verdictOn(3_500, null), 'wait');
  t.equal(verdictOn(3_500, false), 'say');
  t.end();
});

void t.test('who answers may be sending a large frame, but not for ever', (t) => {
  t.equal(verdictOn(20_000, true), 'wait');
  t.equal(verdictOn(60_000, true), 'giveUp');
  t.end();
});

void t.test('who does not answer is given up', (t) => {
  t.equal(verdictOn(9_000, false), 'say');
  t.equal(verdictOn(11_000, false), 'giveUp');
  t.equal(verdictOn(11_000, null), 'wait', 'after a sleep it is asked first');
  t.end();
});
