// Which files of a torrent are taken for samples.
import t from 'tap';
import { isSample } from '../../../../api/web/src/features/add/samples.js';

const CASES: readonly (readonly [string, boolean])[] = [
  ['Film.2024/Sample/film.mkv', true],
  ['Film.2024/samples/film.mkv', true],
  ['Film.2024/film-sample.mkv', true],
  ['Film.2024/sample.mkv', true],
  ['Film.2024/film.sample2.mkv', true],
  ['Film.2024/film.mkv', false],
  ['Film.2024/resampled.flac', false],
  ['Film.2024/Sampler/one.flac', false],
  ['Drum sample pack/kick.wav', false],
  ['sample.iso', true],
];

for (const [path, expected] of CASES) t.equal(isSample(path), expected, path);
