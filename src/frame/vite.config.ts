/** Builds the browser code to dist/frame: hashed names, a manifest for the server, and each file compressed in advance. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const root = import.meta.dirname;

export default defineConfig({
  root,
  base: '/embed/assets/',
  plugins: [compressOnce(), withFontLicence()],
  build: {
    outDir: join(root, '..', '..', 'dist', 'frame'),
    emptyOutDir: true,
    assetsDir: '',
    manifest: true,
    target: 'es2023',
    // Preload hints would need a script that inserts them, and the modules that are loaded later are small.
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The warning about a slow build depends on the machine, and does not help a newcomer.
      checks: { bundlerTimings: false },
      input: [
        join(root, 'main.tsx'),
        join(root, 'first-view.css'),
        join(root, 'demo', 'host.tsx'),
        join(root, 'site', 'site.tsx'),
        join(root, 'docs', 'docs.ts'),
      ],
    },
  },
});

/** The server sends these files as they are and compresses nothing itself. */
function compressOnce(): Plugin {
  return {
    name: 'compress-once',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter((file) => /\.(?:js|css)$/.test(file))) {
        const path = join(dir ?? '', name);
        const bytes = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(bytes));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/** The font's licence requires that its text is distributed with the font. */
function withFontLicence(): Plugin {
  return {
    name: 'font-licence',
    apply: 'build',
    generateBundle() {
      const source = readFileSync(join(root, 'fonts', 'LICENSE.txt'), 'utf8');
      this.emitFile({ type: 'asset', fileName: 'inter-licence.txt', source });
    },
  };
}
