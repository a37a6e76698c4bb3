// The language in which numbers, dates and names are written. It is set once, before anything is shown.

let current = 'en';

/** A BCP 47 tag. */
export function setLocale(tag: string): void {
  current = tag;
}

/** Made at its first use: modules are loaded before the language is known. */
export function inLanguage<Format>(make: (locale: string) => Format): () => Format {
  let made: { readonly locale: string; readonly format: Format } | null = null;
  return () => {
    if (made?.locale !== current) made = { locale: current, format: make(current) };
    return made.format;
  };
}
