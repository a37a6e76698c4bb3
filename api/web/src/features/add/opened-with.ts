// What the page is opened with to be added: by a link that the browser leaves to it (`/#add=magnet:…`, in the fragment, so
// that no log on the way has it), by something that is shared with it (`/?share_text=…`), or by files that the system
// opens with it. It is taken out of the address at once, and kept until somebody is signed in. It adds nothing by itself.
import { createSignal } from 'solid-js';
import { parseText } from './sources.js';

interface LaunchParams {
  readonly files?: readonly { readonly getFile: () => Promise<File> }[];
}
/** The part of File Handling that is used; Chromium has it for what is installed as an app. */
interface LaunchQueue {
  setConsumer(consumer: (params: LaunchParams) => void): void;
}

interface Opening {
  readonly text: string;
  readonly files: readonly File[];
}

const FRAGMENT = '#add=';
const SHARED = ['share_text', 'share_url'] as const;

const [opening, setOpening] = createSignal<Opening | null>(null);
export { opening };

/** Forgets it: it is shown. */
export function takeOpening(): void {
  setOpening(null);
}

/** Once, before anything else looks at the address. */
export function watchOpenings(): void {
  readAddress();
  // Where a page that is open already is sent to such an address.
  addEventListener('hashchange', readAddress);
  const { launchQueue } = window as unknown as { readonly launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ files = [] }) => {
    void Promise.all(files.map((file) => file.getFile())).then((opened) => opened.length > 0 && add('', opened));
  });
}

function readAddress(): void {
  const query = new URLSearchParams(location.search);
  const shared = SHARED.map((name) => query.get(name) ?? '');
  const fragment = location.hash.startsWith(FRAGMENT) ? decoded(location.hash.slice(FRAGMENT.length)) : '';
  const { links } = parseText([fragment, ...shared].join('\n'));
  if (fragment === '' && shared.every((text) => text === '')) return;
  history.replaceState(history.state, '', location.pathname);
  if (links.length > 0) add(links.map(({ text }) => text).join('\n'), []);
}

function add(text: string, files: readonly File[]): void {
  const before = opening();
  setOpening({
    text: [before?.text, text].filter(Boolean).join('\n'),
    files: [...(before?.files ?? []), ...files],
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
