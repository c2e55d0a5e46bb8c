/** The help of the command line: every command is in one group of the root help, and nothing is broken at 80 columns. */
import { Config } from '@oclif/core';
import { describe, expect, test } from 'vitest';
import GroupedHelp, { COMMAND_GROUPS } from '../../src/cli/help.ts';
import { projectRoot } from '../../src/core/environment.ts';
import { inlay } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const config = await Config.load({ root: projectRoot });
const own = config.commands.filter(({ pluginName }) => pluginName === 'inlay');
const needsDatabase = (command: object) => 'needsDatabase' in command && command.needsDatabase === true;
const WIDTH = 80;
const ESCAPE = String.fromCharCode(27);
const withoutColour = (text: string) => text.replaceAll(new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g'), '');

class ReadableHelp extends GroupedHelp {
  textOf(id: string): string {
    const command = config.findCommand(id, { must: true });
    return withoutColour(this.formatCommand(Object.assign(Object.create(command), { id })));
  }
}

// contract 38.1
test('-h, --help and -v work at the root, and -h of a command', async () => {
  const [short, long, version, list] = await Promise.all([
    inlay(['-h']),
    inlay(['--help']),
    inlay(['-v']),
    inlay(['events', 'list', '-h']),
  ]);
  expect(short).toMatchObject({ code: 0, stderr: '' });
  expect(short.stdout).toBe(long.stdout);
  expect(version.stdout).toMatch(/^inlay\/\d/);
  expect(list.stdout).toContain('EXAMPLES');
});

test('the root help groups every command once by who uses it, each with a line, within 80 columns', async () => {
  const { stdout } = await inlay(['--help']);
  const words = COMMAND_GROUPS.flatMap((group) => Object.keys(group.words));
  const known = new Set(
    config.commands.filter(({ hidden }) => hidden !== true).map(({ id }) => id.split(':')[0] ?? ''),
  );
  expect([...words].sort()).toEqual([...known].sort());
  expect(stdout.match(/^[A-Z ]+$/gm)).toEqual(
    expect.arrayContaining(['TRADE', 'SUPPORT', 'FINANCE', 'TEST', 'OPERATE']),
  );
  for (const word of words) {
    expect(stdout).toMatch(new RegExp(`^  ${word} +\\S`, 'm'));
  }
  const [, ...lines] = stdout.split('\n');
  expect(lines.filter((line) => [...line].length > WIDTH)).toEqual([]);
});

test('the help of no command breaks a word at 80 columns', () => {
  const narrow = new ReadableHelp(config, { maxWidth: WIDTH });
  const wide = new ReadableHelp(config, { maxWidth: 400 });
  for (const { id } of config.commands.filter(({ pluginName }) => pluginName === 'inlay')) {
    const usage = (text: string) => /USAGE\n([\s\S]*?)\n\n/.exec(text)?.[1] ?? '';
    const [shown, whole] = [narrow.textOf(id), wide.textOf(id)];
    const parts = new Set(usage(shown).split(/\s+/));
    const broken = usage(whole)
      .split(/\s+/)
      .filter((word) => !parts.has(word));
    expect(broken, id).toEqual([]);
    expect(
      usage(shown)
        .split('\n')
        .filter((line) => line.length > WIDTH),
      id,
    ).toEqual([]);
  }
});

test('each flag has a placeholder of its own, all values that it takes, its default, and one text for --json', () => {
  const help = new ReadableHelp(config, { ...config.pjson.oclif.helpOptions, maxWidth: 400 });
  for (const { id, flags } of own.filter(({ hidden }) => hidden !== true)) {
    const text = help.textOf(id);
    expect(text, id).not.toMatch(/<value>|<option>|Format output as json/);
    for (const flag of Object.values(flags).filter(({ hidden }) => hidden !== true)) {
      const line = text.split('\n').find((one) => new RegExp(`^ +(-\\w, )? *--(\\[no-\\])?${flag.name}\\b`).test(one));
      const values = flag.type === 'option' ? [...(flag.options ?? []), flag.default || ''] : [];
      // combinations are in the words of the summary
      for (const value of values.filter((one) => !String(one).includes(','))) {
        expect(line, `${id} --${flag.name}`).toContain(String(value));
      }
    }
  }
});

describe('the database of the service', () => {
  // contract 38.9
  test('is needed by the commands that open it, and by no command that takes a key', async () => {
    for (const command of own) {
      const { prototype } = (await command.load()) as unknown as { prototype: object };
      const opens = 'openContext' in prototype || ['serve', 'worker', 'migrate'].includes(command.id);
      expect([command.id, needsDatabase(command)]).toEqual([command.id, opens]);
      expect('api-key' in command.flags && opens, command.id).toBe(false);
    }
  });

  // contract 38.9
  test('is marked in the root help, in the help of a topic and in that of a command', async () => {
    const help = async (...argv: string[]) => (await inlay([...argv, '--help'])).stdout;
    const root = await help();
    expect(root).toMatch(/^ {2}keys \* +API keys/m);
    expect(root).toMatch(/^ {2}reconciliation \+ +Checks/m);
    expect(root).toMatch(/^ {2}events +Browse/m);
    expect(root).toContain('* needs the database of the service; + some of its commands do');
    const topic = await help('reconciliation');
    expect(topic).toMatch(/^ {2}reconciliation run \* /m);
    expect(topic).toMatch(/^ {2}reconciliation show {2,}/m);
    expect(topic).toMatch(/^\* needs the database of the service$/m);
    expect(await help('reconciliation', 'run')).toMatch(
      /It needs the database of the service\. With a key: "inlay reconciliation\s+show"\./,
    );
    expect(await help('keys', 'issue')).toMatch(/No key can do this; ask the service\s+operator\./);
    expect(await help('events', 'list')).not.toContain('database of the service');
  });

  // contract 38.9
  test('without it, a command says what a key can do instead', async () => {
    const env = { INLAY_DATA_DIR: temporaryFolder('inlay-no-service'), INLAY_API_KEY: 'pk_test_1' };
    const [shown, issued] = await Promise.all([
      inlay(['operators', 'show', 'demo'], { env }),
      inlay(['keys', 'issue', '--operator', 'demo'], { env }),
    ]);
    expect([shown.code, shown.stderr]).toEqual([
      1,
      `database_unavailable: This command needs the database of the service: DATABASE_URL is not set, and no service runs in ${env.INLAY_DATA_DIR}.\nWith a key: "inlay whoami".\nStart the service with "inlay up", or set DATABASE_URL.\n`,
    ]);
    expect([issued.code, issued.stderr]).toEqual([
      1,
      expect.stringContaining('\nNo key can do this; ask the service operator.\n'),
    ]);
  });

  test('the commands that a key can use instead exist, and need none', () => {
    const instead = own.flatMap((command) => {
      const { withKey } = command as { withKey?: string };
      return withKey === undefined ? [] : [withKey];
    });
    expect(instead.length).toBeGreaterThan(10);
    for (const line of instead) {
      const words = line.split(' ').filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-'));
      const known = own.find(({ id }) => id === words.slice(0, id.split(':').length).join(':'));
      expect([line, known === undefined || needsDatabase(known)]).toEqual([line, false]);
      const flags = line.split(' ').filter((word) => word.startsWith('--'));
      expect(
        flags.filter((flag) => known?.flags[flag.slice(2)] === undefined),
        line,
      ).toEqual([]);
    }
  });
});

test('some seventy commands are listed, and the others are named by the help of their topic', async () => {
  const listed = own.filter(({ hidden }) => hidden !== true);
  expect(listed.length).toBeGreaterThan(65);
  expect(listed.length).toBeLessThan(77);
  const { stdout } = await inlay(['venues', '--help']);
  expect(stdout).toMatch(/^SELDOM USED\n {2}venues account \*, venues compare \*/m);
  expect(stdout).not.toMatch(/^ {2}venues compare \* {2}/m);
  const limits = await inlay(['limits', '--help']);
  // an earlier name of a command is no command of its own
  expect(limits.stdout).not.toContain('limits show');
});

test('what a command does is said in one line of 80 columns', () => {
  expect(own.length).toBeGreaterThan(100);
  expect(own.filter(({ summary = '' }) => summary.length > WIDTH || summary === '').map(({ id }) => id)).toEqual([]);
});
