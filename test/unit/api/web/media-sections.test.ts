import t from 'tap';
import { isMedia, mediaSections } from '../../../../api/web/src/features/details/media-sections.js';

void t.test('sections and lines of a text', (t) => {
  const text = 'General\nComplete name     : a : b.mkv\nDuration    : 2 s\n\nAudio #1\nLanguage : English\n odd line\n';
  t.same(mediaSections(text), [
    {
      title: 'General',
      lines: [
        { label: 'Complete name', value: 'a : b.mkv' },
        { label: 'Duration', value: '2 s' },
      ],
    },
    {
      title: 'Audio #1',
      lines: [
        { label: 'Language', value: 'English' },
        { label: 'odd line', value: '' },
      ],
    },
  ]);
  t.same(mediaSections(''), []);
  // An expression would take half a minute for it.
  const odd = `x${' '.repeat(128 * 1024)}y`;
  t.same(mediaSections(`General\n${odd}`), [{ title: 'General', lines: [{ label: odd, value: '' }] }]);
  t.end();
});

void t.test('files it is asked about', (t) => {
  for (const path of ['a/b.mkv', 'B.MP4', 'x.m2ts', 'x.ogg', 'x.mpeg']) t.ok(isMedia(path), path);
  for (const path of ['mkv', 'a.mkv/b', 'a.iso', 'a.mkv.!sw', 'a.srt']) t.notOk(isMedia(path), path);
  t.end();
});
