/** Reads the sources: imports point down, the driver's transactions stay out, one file reads the environment, nothing is `any`, names follow the conventions. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { functionFiles } from '../../src/db/schema/apply-functions.ts';

const src = fileURLToPath(new URL('../../src', import.meta.url));
const files = globSync('**/*.{ts,tsx}', { cwd: src }).sort();
const textOf = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]));
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s*'([^']+)'|(?:^|\n)import\s+'([^']+)'|import\(\s*'([^']+)'\s*\)/g;

const roomOf = (file: string): string =>
  file.includes('/') ? (file.split('/')[0] ?? '') : file.replace(/\.tsx?$/, '');

interface Arrow {
  readonly from: string;
  readonly to: string;
}

const arrows: Arrow[] = [];
const packages: Arrow[] = [];
for (const [file, text] of textOf) {
  for (const match of text.matchAll(IMPORT)) {
    const target = match[1] ?? match[2] ?? match[3] ?? '';
    if (target.startsWith('.')) {
      arrows.push({ from: file, to: relative(src, join(src, dirname(file), target)) });
    } else {
      packages.push({ from: file, to: target });
    }
  }
}

const GROUND = ['core', 'money', 'db', 'wire'];
const CAPABILITIES = ['ledger', 'risk', 'markets', 'operators', 'venues', 'webhooks', 'embed'];
const ROOMS = [...GROUND, ...CAPABILITIES, 'trading', 'settlement', 'sandbox', 'audit', 'reconciliation', 'operations'];
const SERVER = [...ROOMS, 'context'];

/** docs/architecture.md "Who may import whom". The paper exchange is a venue: it shares nothing with the service but the ground. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  core: [],
  money: ['core'],
  db: ['core'],
  wire: ['core', 'money'],
  ...Object.fromEntries(CAPABILITIES.map((room) => [room, GROUND])),
  markets: [...GROUND, 'venues'],
  // an event is a rendering of the journal
  webhooks: [...GROUND, 'ledger'],
  trading: [...GROUND, ...CAPABILITIES],
  settlement: [...GROUND, ...CAPABILITIES, 'trading'],
  // a second bookkeeper who knows nothing of the first
  audit: ['core', 'db', 'wire'],
  reconciliation: [...GROUND, ...CAPABILITIES, 'trading', 'audit'],
  sandbox: [...GROUND, ...CAPABILITIES, 'settlement'],
  operations: [...GROUND, ...CAPABILITIES, 'trading'],
  context: [...ROOMS],
  server: SERVER,
  jobs: SERVER,
  client: ['core', 'wire'],
  cli: ['core', 'wire', 'client', 'context', ...ROOMS],
  commands: ['cli', 'client', 'context', ...ROOMS],
  frame: ['wire', 'core'],
  exchange: [],
  paper: ['core', 'db', 'exchange'],
  emulators: ['core', 'venues', 'exchange'],
};

/** These start a process, and may import the room that it runs. */
const STARTS_PROCESS = /^commands\/(up|serve|worker|emulate)\.ts$/;
const PROCESSES = ['server', 'jobs', 'emulators'];

/** What the auditor shares with the bookkeeper that it audits: what a row of the journal is. */
const JOURNAL_ROW = 'ledger/journal-row.ts';

test('every room is known', () => {
  expect([...new Set(files.map(roomOf))].filter((room) => MAY[room] === undefined)).toEqual([]);
});

test('no arrow points up', () => {
  const wrong = arrows.filter(({ from, to }) => {
    const [source, target] = [roomOf(from), roomOf(to)];
    const starts = STARTS_PROCESS.test(from) && PROCESSES.includes(target);
    const readsJournal = source === 'audit' && to === JOURNAL_ROW;
    return source !== target && !starts && !readsJournal && !MAY[source]?.includes(target);
  });
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test('no two files import each other in a circle of rooms', () => {
  const rooms = new Map<string, Set<string>>();
  for (const { from, to } of arrows) {
    if (roomOf(from) !== roomOf(to)) {
      rooms.set(roomOf(from), (rooms.get(roomOf(from)) ?? new Set()).add(roomOf(to)));
    }
  }
  const reach = (start: string): Set<string> => {
    const seen = new Set<string>();
    const open = [...(rooms.get(start) ?? [])];
    for (let room = open.pop(); room !== undefined; room = open.pop()) {
      if (!seen.has(room)) {
        seen.add(room);
        open.push(...(rooms.get(room) ?? []));
      }
    }
    return seen;
  };
  expect([...rooms.keys()].filter((room) => reach(room).has(room))).toEqual([]);
});

/** Tarjan's algorithm: the groups of files that reach each other over imports, type imports included. */
function circlesOf(targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  function visit(file: string): void {
    order.set(file, order.size);
    lowest.set(file, order.get(file) ?? 0);
    stack.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!order.has(target)) {
        visit(target);
        lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0));
      } else if (stack.includes(target)) {
        lowest.set(file, Math.min(lowest.get(file) ?? 0, order.get(target) ?? 0));
      }
    }
    if (lowest.get(file) === order.get(file)) {
      const component = stack.splice(stack.indexOf(file));
      if (component.length > 1 || targets.get(file)?.includes(file)) {
        circles.push(component.sort());
      }
    }
  }

  for (const file of targets.keys()) {
    if (!order.has(file)) {
      visit(file);
    }
  }
  return circles;
}

const targetsOf = (all: readonly Arrow[]): Map<string, string[]> =>
  new Map(files.map((file) => [file, all.filter(({ from }) => from === file).map(({ to }) => to)]));

test('no circle of files, type imports included', () => {
  expect(circlesOf(targetsOf(arrows))).toEqual([]);
});

test('a circle of files is found: two files, three files, and one that imports itself', () => {
  const targets = new Map([
    ['a', ['b', 'c']],
    ['b', ['a']],
    ['c', ['d']],
    ['d', ['e', 'f']],
    ['e', ['c']],
    ['f', ['f']],
    ['g', ['a']],
  ]);
  expect(circlesOf(targets).toSorted()).toEqual([['a', 'b'], ['c', 'd', 'e'], ['f']]);
});

/**
 * The floors inside a room, and inside each of its folders: a folder counts as one, a loose file for itself.
 * @returns the arrows that run back up, that is each one that is part of a circle of them
 */
function arrowsBackUp(all: readonly Arrow[]): string[] {
  const folders = new Set(all.flatMap(({ from }) => foldersAbove(from)));
  return [...folders].flatMap((folder) => {
    const inside = all.flatMap(({ from, to }) => {
      const [source, target] = [childOf(folder, from), childOf(folder, to)];
      return source === undefined || target === undefined || source === target ? [] : [{ from, to, source, target }];
    });
    const targets = new Map<string, string[]>();
    for (const { source, target } of inside) {
      targets.set(source, [...(targets.get(source) ?? []), target]);
      targets.set(target, targets.get(target) ?? []);
    }
    const circles = circlesOf(targets);
    return inside
      .filter(({ source, target }) => circles.some((circle) => circle.includes(source) && circle.includes(target)))
      .map(({ from, to }) => `${from} -> ${to}`);
  });
}

function foldersAbove(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}

/** @returns undefined if the file is not in the folder */
function childOf(folder: string, file: string): string | undefined {
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/')[0] : undefined;
}

test('no arrow back up within a room', () => {
  expect(arrowsBackUp(arrows)).toEqual([]);
});

test('an arrow back up is found: between two folders of a room, and between a folder and a loose file', () => {
  const between = [
    { from: 'room/a/one.ts', to: 'room/b/two.ts' },
    { from: 'room/b/three.ts', to: 'room/a/four.ts' },
    { from: 'room/loose.ts', to: 'room/a/one.ts' },
  ];
  expect(arrowsBackUp(between)).toEqual(['room/a/one.ts -> room/b/two.ts', 'room/b/three.ts -> room/a/four.ts']);
  expect(arrowsBackUp([...between.slice(2), { from: 'room/a/four.ts', to: 'room/loose.ts' }])).toHaveLength(2);
  expect(arrowsBackUp(between.slice(1))).toEqual([]);
});

test('only the commands that start a process import its entry point', () => {
  const entryPoints = /^(server\/app|jobs\/(run|main)|paper\/main|cli\/main)\.ts$/;
  const starters = /^(commands\/(up|serve|worker)|jobs\/main|paper\/main|cli\/main)\.ts$/;
  const wrong = arrows.filter(({ from, to }) => entryPoints.test(to) && !starters.test(from));
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

/** The one place of each library that a room hides from the rest. */
const ONE_PLACE: Readonly<Record<string, RegExp>> = {
  'dinero.js': /^money\//,
  postgres: /^db\//,
  fastify: /^server\//,
  '@opentelemetry': /^core\/open-tracing\.ts$/,
  '@oclif/core': /^(cli|commands)\//,
  ink: /^(cli|commands)\//,
};

test('libraries stay behind their room', () => {
  const wrong = packages.filter(({ from, to }) => {
    const room = Object.entries(ONE_PLACE).find(([name]) => to === name || to.startsWith(`${name}/`))?.[1];
    return room !== undefined && !room.test(from);
  });
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

function linesThat(pattern: RegExp, except: RegExp = /^$/): string[] {
  return files
    .filter((file) => !except.test(file))
    .flatMap((file) =>
      withoutComments(textOf.get(file) ?? '')
        .split('\n')
        .filter((line) => pattern.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

test('no transaction of the driver: a killed one can run inside another (issue 1204)', () => {
  expect(linesThat(/\b\w*sql\w*\.(begin|reserve|savepoint)\b/i)).toEqual([]);
});

test('the environment is read in one place, by the entry points', () => {
  // each process reads it once, through readEnvironment; a child process is given all of it, or the variables that it names
  const entryPoints = /^(core\/environment|core\/processes|jobs\/main|paper\/main|cli\/base-command)\.ts$/;
  expect(linesThat(/process\.env/, entryPoints)).toEqual([]);
  const read = linesThat(/process\.env/).filter(
    (line) => !/readEnvironment\(process\.env\)|\.\.\.process\.env/.test(line),
  );
  expect(read).toEqual([]);
});

test('entry points hold no SQL', () => {
  const otherRooms = /^(?!(server|jobs|cli|commands)\/)/;
  expect(linesThat(/\bsql(<[^`]*>)?`|pg_notify|\bsql\.listen\(/, otherRooms)).toEqual([]);
});

test('nothing is `any`', () => {
  expect(linesThat(/(:|<|\bas|\|)\s*any\b(?!\s*\()/)).toEqual([]);
});

test('no barrel files, no drawers', () => {
  expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|misc)(\.tsx?$|\/)/.test(file))).toEqual([]);
});

test('the manifest of SQL functions names each file once', () => {
  const folder = fileURLToPath(new URL('../../sql/functions', import.meta.url));
  const named = functionFiles().map((path) => relative(folder, path));
  expect(named.toSorted()).toEqual(globSync('**/*.sql', { cwd: folder }).sort());
});

/** Names that another party chose. */
const FOREIGN_NAMES = /^(venues|emulators)\/|^db\/pg-client\.ts$/;

test('rows are camelCase in TypeScript: the driver maps their columns, row-type.ts maps what is sent', () => {
  const member =
    /\breadonly ([a-z0-9]+(?:_[a-z0-9]+)+)\??:|[{;\n]\s*([a-z0-9]+(?:_[a-z0-9]+)+)\??: (?:string|number|bigint|boolean|Date|unknown)\b/g;
  const snake = [...textOf].flatMap(([file, text]) =>
    FOREIGN_NAMES.test(file) ? [] : [...text.matchAll(member)].map((match) => `${file}: ${match[1] ?? match[2]}`),
  );
  expect(snake).toEqual([]);
});
