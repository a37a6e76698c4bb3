// Matches titles apart from the page: JavaScript's expressions may take for ever, and then this thread is ended.
import type { Pattern } from './pattern.js';
import type { PreviewAnswer, PreviewQuestion } from './preview-messages.js';

addEventListener('message', ({ data }: MessageEvent<PreviewQuestion>) => {
  const compiled = data.filters.map(({ wanted, excluded }) => ({
    wanted: compile(wanted),
    excluded: excluded && compile(excluded),
  }));
  const matches = data.titles.flatMap((title, index) => {
    const first = compiled.findIndex(({ wanted, excluded }) => wanted.test(title) && excluded?.test(title) !== true);
    return first === -1 ? [] : [[index, first] as const];
  });
  answer({ kind: 'matched', matches });
});

function compile({ source, flags }: Pattern): RegExp {
  return new RegExp(source, flags);
}

function answer(message: PreviewAnswer): void {
  postMessage(message);
}

answer({ kind: 'ready' });
