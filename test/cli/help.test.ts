/** The help of the command line: every command is in one group of the root help, and nothing is broken at 80 columns. */
import { Config } from '@oclif/core';
import { expect, test } from 'vitest';
import GroupedHelp, { COMMAND_GROUPS } from '../../src/cli/help.ts';
import { projectRoot } from '../../src/core/environment.ts';
import { inlay } from '../support/process.ts';

const config = await Config.load({ root: projectRoot });
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
  const own = config.commands.filter(({ pluginName, hidden }) => pluginName === 'inlay' && hidden !== true);
  for (const { id, flags } of own) {
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

test('what a command does is said in one line of 80 columns', () => {
  const own = config.commands.filter(({ pluginName }) => pluginName === 'inlay');
  expect(own.length).toBeGreaterThan(100);
  expect(own.filter(({ summary = '' }) => summary.length > WIDTH || summary === '').map(({ id }) => id)).toEqual([]);
});
