#!/usr/bin/env node
/**
 * `npm run -s sbom`: the parts of a release as CycloneDX on stdout, made by `npm sbom` from the lock file. Packages that only build and
 * test are removed here, because `npm sbom --omit=dev` also leaves out runtime packages that a tool shares.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const FOR_DEVELOPMENT = 'cdx:npm:package:development';

const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
if (status !== 0) {
  process.stderr.write(stderr);
  process.exit(1);
}
const document = JSON.parse(stdout);
const components = document.components.filter(
  // a link into this project has no package behind it
  ({ properties = [], hashes }) => hashes !== undefined && !properties.some(({ name }) => name === FOR_DEVELOPMENT),
);
const kept = new Set([document.metadata.component['bom-ref'], ...components.map((part) => part['bom-ref'])]);
const dependencies = document.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
process.stdout.write(`${JSON.stringify({ ...document, components, dependencies }, null, 2)}\n`);
