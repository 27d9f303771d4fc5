import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Compressed once here, so that the server need not do it at every request. */
function packedCopies(): Plugin {
  return {
    name: 'packed-copies',
    apply: 'build',
    writeBundle: ({ dir = '' }) => {
      const assets = join(dir, 'assets');
      for (const name of readdirSync(assets).filter((each) => /\.(?:js|css|svg)$/.test(each))) {
        const packed = gzipSync(readFileSync(join(assets, name)), { level: constants.Z_BEST_COMPRESSION });
        writeFileSync(join(assets, `${name}.gz`), packed);
      }
    },
  };
}

/** During development everything except the page itself comes from a running Hearth: HEARTH=http://localhost:8765. */
const hearth = process.env['HEARTH'] ?? 'http://localhost:8765';
const ofTheServer =
  '^/(?:ask|voice|listen|health|openapi\\.json|admin|v1|pair|phone\\.json|reachable)(?:[/?]|$)';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [packedCopies()],
  server: { proxy: { [ofTheServer]: { target: hearth, ws: true } } },
  build: {
    target: 'es2022',
    // The page, and the one that brings a phone to it.
    rolldownOptions: { input: ['index.html', 'phone.html'] },
    // A file inside another would need exceptions from the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
