// A file let go over the page, as from a file manager.
import type { Page } from 'playwright-core';

export interface DroppedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export async function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  const encoded = files.map(({ name, bytes }) => ({ name, text: Buffer.from(bytes).toString('base64') }));
  await page.evaluate(`{
    const data = new DataTransfer();
    for (const { name, text } of ${JSON.stringify(encoded)}) {
      data.items.add(new File([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], name));
    }
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
  }`);
}
