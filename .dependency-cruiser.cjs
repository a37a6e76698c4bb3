// The arrows between files and folders, kept by `npm run lint`: no circle of imports anywhere, imports of types included,
// and in each room an order of folders, in which a lower one never imports a higher one.

/** Circles hide where a thing begins: whoever reads one file of a circle has to read all of them. */
const noCircles = {
  name: 'no-circular',
  severity: 'error',
  from: {},
  to: { circular: true },
};

/**
 * Rules for an order below one folder, the highest layer first: each is a list of folders (`name/`) and files. Nothing
 * imports from a layer above its own, nor from a neighbour in its own.
 */
function inOrder(root, layers) {
  const anyOf = (places) => `^${root}/(${places.map((place) => place.replaceAll('.', '\\.')).join('|')})`;
  const rules = layers.slice(1).map((layer, above) => ({
    name: `${root}: ${layer.join(' ')} below ${layers[above].join(' ')}`,
    severity: 'error',
    from: { path: anyOf(layer) },
    to: { path: anyOf(layers.slice(0, above + 1).flat()) },
  }));
  const neighbours = layers
    .filter((layer) => layer.length > 1)
    .map((layer) => ({
      name: `${root}: ${layer.join(' ')} apart`,
      severity: 'error',
      from: { path: anyOf(layer) },
      to: { path: anyOf(layer), pathNot: `^${root}/$1` },
    }));
  return [...rules, ...neighbours];
}

const engine = inOrder('engine', [
  ['worker.ts'],
  ['core.ts', 'expose.ts'],
  ['session/'],
  ['torrent/'],
  ['peers/', 'pex/', 'lsd/', 'port-mapping/', 'tracker/', 'dht/', 'webseed/', 'choker/', 'claims/'],
  ['wire/', 'picker/'],
  ['disk/'],
  ['hashing/', 'metainfo/'],
  ['net/'],
  ['util/', 'wasm/'],
  ['environment.ts'],
]);

module.exports = {
  forbidden: [noCircles, ...engine],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules|api/web)/' },
    skipAnalysisNotInRules: true,
  },
};
