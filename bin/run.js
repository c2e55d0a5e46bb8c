#!/usr/bin/env node
/**
 * The command line, however it is called: through a link, from any folder, by an old Node.
 * Plain JavaScript for any Node from 16 on; everything else is loaded under a new enough one.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// import.meta.url is the real path: Node follows links before it gives it.
const script = fileURLToPath(import.meta.url);
const root = dirname(dirname(script));

if (process.argv.length === 3 && process.argv[2] === '--version') {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  process.stdout.write(`inlay/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
} else {
  await start();
}

async function start() {
  const { followLauncher, isTooOld, relaunch } = await import('./bundled-node.js');
  if (isTooOld()) {
    await relaunch(script);
  }
  followLauncher();
  const { keepCompiledCode } = await import('./compile-cache.js');
  keepCompiledCode();
  if (!existsSync(join(root, 'dist', 'cli', 'main.js'))) {
    process.stderr.write('Building Inlay once...\n');
    const { buildApart } = await import('./build.js');
    await buildApart();
  }
  const argv = process.argv.slice(2);
  const bundle = join(root, 'dist', 'up', 'up.js');
  if (argv[0] === 'up' && argv.slice(1).every((word) => word === '--json') && existsSync(bundle)) {
    const { main, Up } = await import('../dist/up/up.js');
    await main(root, argv, Up);
  }
  const { main } = await import('../dist/cli/main.js');
  await main(root, argv);
}
