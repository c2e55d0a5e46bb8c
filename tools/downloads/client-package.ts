/** `inlay-client-VERSION.tgz`: the module `inlay/client` and its types as a package that needs no other. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { projectRoot } from '../../src/core/environment.ts';
import type { Files } from './archive.ts';
import { bundle, licencesOf, OLDEST_NODE } from './bundle.ts';

const ENTRY = 'dist/client/index';
const IMPORT = /from '(\.[^']+)\.ts'/g;

const README = `# inlay/client

A typed client of Inlay for Node 22.18 and newer, without dependencies.

\`\`\`js
import { createClient } from 'inlay/client';

const client = createClient({ baseUrl: 'https://inlay.example', apiKey: process.env.INLAY_API_KEY });
const { data } = await client.get('/api/v1/events', { query: { limit: 10 } });
\`\`\`

The guide is at /docs/guides/client of your service. The types use those of Node (\`npm install --save-dev @types/node\`).
`;

export async function clientPackage(version: string): Promise<Files> {
  const { files, modules } = await bundle({ input: { [ENTRY]: join(projectRoot, `${ENTRY}.js`) } });
  const manifest = {
    name: 'inlay',
    version,
    description: 'A typed client of Inlay: calls, webhook verification and a feed reader',
    license: 'UNLICENSED',
    type: 'module',
    sideEffects: false,
    engines: { node: OLDEST_NODE },
    exports: { './client': { types: `./${ENTRY}.d.ts`, default: `./${ENTRY}.js` } },
  };
  return new Map([
    ...files,
    ...declarationsFrom(`${ENTRY}.d.ts`),
    ['package.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['README.md', README],
    ['LICENSES.txt', licencesOf(modules)],
  ]);
}

/** The declarations of a module and of what it imports, as the compiler wrote them, but for the endings of the names that they import. */
function declarationsFrom(entry: string): Map<string, string> {
  const found = new Map<string, string>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (!found.has(path)) {
      const text = readFileSync(join(projectRoot, path), 'utf8');
      const folder = posix.dirname(path);
      waiting.push(...[...text.matchAll(IMPORT)].map(([, name]) => posix.join(folder, `${name}.d.ts`)));
      found.set(path, text.replaceAll(IMPORT, "from '$1.js'"));
    }
  }
  return found;
}
