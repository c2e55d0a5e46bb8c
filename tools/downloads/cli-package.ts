/**
 * `inlay-cli-VERSION.tgz`: the commands that need a key or nothing, as a package that needs no other and has nothing of the service. What
 * would need the database of the service refuses with a sentence.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Rolldown } from 'vite';
import type { ServiceCommands } from '../../src/cli/service-commands.ts';
import { projectRoot } from '../../src/core/environment.ts';
import { type Command, forPartners, isPartnerCommand } from '../site/cli.ts';
import type { Files } from './archive.ts';
import { type Bundle, bundle, licencesOf, OLDEST_NODE } from './bundle.ts';

const NAME = 'inlay-cli';
const README = `# The command line of Inlay

The commands that use the API with your key, for Node 22.18 and newer, without dependencies.

\`\`\`sh
npm install --global ./${NAME}-VERSION.tgz
inlay login --api-url https://inlay.example
inlay events list
\`\`\`

Every command has \`--help\`. The reference is at /docs/cli/start of your service. Commands of the service operator, which use the database of the service, are in the package of the service.
`;
const RUN = `#!/usr/bin/env node
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(\`Inlay needs Node 22.18 or later; this is \${process.version}.\\n\`);
  process.exit(1);
}
const { main } = await import('../dist/cli/main.js');
await main(dirname(dirname(fileURLToPath(import.meta.url))), process.argv.slice(2));
`;
/** CommonJS modules in the bundle call it. */
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);";

/** A command in oclif's manifest, with its module. */
interface ListedCommand extends Command {
  readonly relativePath: readonly string[];
  readonly withKey?: string;
}

interface CommandSource extends ListedCommand {
  /** Absolute path of the module. */
  readonly module: string;
}

export async function cliPackage(version: string): Promise<Files> {
  const service = readJson(projectRoot, 'package.json');
  const plugins: readonly string[] = service.oclif.plugins;
  const own = listCommands(projectRoot);
  const isShared = (command: Command) => isPartnerCommand(command) && !isAudited(command);
  const commands = [
    ...own.filter(isShared).map(forPartners),
    ...plugins.flatMap((name) => listCommands(join(projectRoot, 'node_modules', name))),
  ];
  const built = await bundle({
    input: {
      'dist/cli/main': join(projectRoot, 'dist', 'cli', 'main.js'),
      'dist/cli/help': join(projectRoot, 'dist', 'cli', 'help.js'),
      ...Object.fromEntries(commands.map(({ id, module }) => [nameOf(id), module])),
    },
    // React's tools for developers are loaded only on request
    options: { plugins: [withoutService()], shimMissingExports: true, external: ['react-devtools-core'] },
    banner: REQUIRE,
  });
  for (const { id } of commands) {
    expectNoService(built, `${nameOf(id)}.js`);
  }
  const ids = commands.map(({ id }) => id);
  const manifest = {
    name: NAME,
    version,
    description: service.description,
    license: service.license,
    type: 'module',
    engines: { node: OLDEST_NODE },
    bin: { inlay: 'bin/run.js' },
    oclif: { ...service.oclif, plugins: [], topics: topicsOf(service.oclif.topics, ids) },
    serviceCommands: leftOut(own.filter((command) => !isShared(command))),
  };
  const listed = commands.map(({ module: _, ...command }) => [
    command.id,
    {
      ...command,
      pluginName: NAME,
      pluginAlias: NAME,
      isESM: true,
      relativePath: `${nameOf(command.id)}.js`.split('/'),
    },
  ]);
  return new Map([
    ...built.files,
    ['bin/run.js', RUN],
    ['package.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['oclif.manifest.json', `${JSON.stringify({ commands: Object.fromEntries(listed), version })}\n`],
    ['README.md', README.replaceAll('VERSION', version)],
    ['LICENSES.txt', licencesOf(built.modules)],
  ]);
}

/** @param folder of a package with a manifest of oclif */
function listCommands(folder: string): CommandSource[] {
  const { commands } = readJson(folder, 'oclif.manifest.json');
  return Object.values<ListedCommand>(commands).map((command) => ({
    ...command,
    module: join(folder, ...command.relativePath),
  }));
}

/** A command that may note something in the audit log of the service. */
const isAudited = ({ flags = {} }: Command) => 'as' in flags;

const nameOf = (id: string) => `dist/commands/${id.replaceAll(':', '/')}`;

function leftOut(commands: readonly ListedCommand[]): ServiceCommands {
  return Object.fromEntries(commands.map(({ id, withKey = null }) => [id, withKey]));
}

/** The topics that have a command. */
function topicsOf(topics: Readonly<Record<string, object>>, ids: readonly string[]): object {
  return Object.fromEntries(Object.entries(topics).filter(([topic]) => ids.some((id) => id.startsWith(`${topic}:`))));
}

/** Rooms that a program with a key needs, and the one file of another room on which they rest. */
const ROOMS = new Set(['cli', 'client', 'commands', 'core', 'money', 'wire', join('db', 'database-errors.js')]);
const SERVICE = '\0service';
const REFUSAL = `import { Failure } from ${JSON.stringify(join(projectRoot, 'dist', 'cli', 'failure.js'))};
throw new Failure('service_needed', 'This needs the database of the service, which this package does not use.', {
  next: 'The service operator runs it with the package of the service.',
});
`;

/** Puts a module that refuses in the place of each module of the service. */
function withoutService(): Rolldown.Plugin {
  return {
    name: 'without-service',
    resolveId: (source, importer) => {
      const path = source.startsWith('.') && importer !== undefined ? resolve(dirname(importer), source) : source;
      const inDist = relative(join(projectRoot, 'dist'), path);
      const isOurs = !inDist.startsWith('..') && path !== source;
      return isOurs && !ROOMS.has(inDist) && !ROOMS.has(inDist.split(sep)[0] ?? '') ? SERVICE : null;
    },
    load: (id) => (id === SERVICE ? { code: REFUSAL, moduleSideEffects: true } : null),
  };
}

/** @throws Error if the file cannot be loaded without the service */
function expectNoService({ chunks }: Bundle, entry: string): void {
  const seen = new Set<string>();
  const waiting = [entry];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    if (chunk?.moduleIds.includes(SERVICE)) {
      throw new Error(`${entry} needs the service, so it cannot be in ${NAME}.`);
    }
    if (!seen.has(name)) {
      seen.add(name);
      waiting.push(...(chunk?.imports ?? []));
    }
  }
}

function readJson(folder: string, name: string) {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}
