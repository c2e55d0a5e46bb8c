#!/usr/bin/env node
/** Writes docs/cli.md from what the commands declare. With --check it writes nothing and fails where the file is not current. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const path = join(root, 'docs', 'cli.md');

/** @returns {string} the manual of the built commands. */
export function manual() {
  const { oclif } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));
  const shown = Object.values(commands)
    .filter((command) => !command.hidden)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const topics = Map.groupBy(shown, (command) => (command.id.includes(':') ? command.id.split(':')[0] : ''));
  const names = [...topics.keys()].sort();
  return [
    '# The command line',
    '',
    'Written by `npm run manual` from what the commands declare; do not edit it here. Flags of every command: `--help`, and `--json` for one JSON',
    'document on stdout and nothing else. Commands of a partner also take `--profile`, `--api-url` and `--api-key`; those of the service operator that change something `--as NAME`.',
    '',
    'Exit codes: 0 done; 1 refused or failed; 2 wrong usage; 3 not found; 4 not authorised; 5 an expectation did not hold; 6 the outcome is',
    'unknown, hold the authorization; 7 rate limited; 130 interrupted.',
    '',
    ...shown.map(({ id, summary }) => `- [\`${words(id)}\`](#inlay-${id.replaceAll(':', '-')}): ${line(summary)}`),
    ...names.flatMap((name) => [
      '',
      name === '' ? '## On their own' : `## ${name}`,
      ...(name === '' ? [] : ['', oclif.topics[name]?.description ?? '']),
      ...topics.get(name).flatMap(section),
    ]),
    '',
  ].join('\n');
}

function section(command) {
  const args = Object.values(command.args ?? {});
  const flags = Object.values(command.flags ?? {}).filter((flag) => flag.helpGroup !== 'GLOBAL' && !flag.hidden);
  const usage = args.map((arg) => {
    const name = `${arg.name.toUpperCase()}${arg.multiple ? '...' : ''}`;
    return arg.required ? name : `[${name}]`;
  });
  const required = flags.filter((flag) => flag.required).map((flag) => `--${flag.name} ${valueText(flag)}`);
  return [
    '',
    `### inlay ${words(command.id)}`,
    '',
    line(command.summary),
    ...(command.description && command.description !== command.summary ? ['', line(command.description)] : []),
    '',
    '```',
    ['inlay', words(command.id), ...usage, ...required, ...(flags.length > required.length ? ['[flags]'] : [])].join(
      ' ',
    ),
    '```',
    ...(args.length + flags.length === 0 ? [] : ['', '| | |', '|---|---|']),
    ...args.map((arg) => `| \`${arg.name.toUpperCase()}\` | ${cell(arg.description)} |`),
    ...flags.map((flag) => `| ${flagText(flag)} | ${cell(flag.summary ?? flag.description)}${standard(flag)} |`),
    ...(command.examples?.length
      ? ['', '```sh', ...command.examples.map((text) => example(text, command.id)), '```']
      : []),
  ];
}

const words = (id) => id.replaceAll(':', ' ');
const line = (text = '') => text.replaceAll('<%= config.bin %>', 'inlay').replaceAll('\n', ' ').trim();
const cell = (text) => line(text).replaceAll('|', '\\|');

function flagText(flag) {
  const name = flag.allowNo ? `--[no-]${flag.name}` : `--${flag.name}`;
  const value = flag.type === 'option' ? ` ${valueText(flag).replaceAll('|', '\\|')}` : '';
  return `\`${flag.char ? `-${flag.char}, ` : ''}${name}${value}\`${flag.multiple ? ', repeatable' : ''}`;
}

function valueText(flag) {
  const value = flag.options?.join('|') ?? flag.helpValue;
  return Array.isArray(value) ? value.join(' ') : (value ?? flag.name.toUpperCase());
}

function standard(flag) {
  return flag.type === 'option' && flag.default !== undefined ? ` Default: \`${flag.default}\`.` : '';
}

function example(text, id) {
  const command = typeof text === 'string' ? text : text.command;
  return command.replaceAll('<%= config.bin %>', 'inlay').replaceAll('<%= command.id %>', words(id));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = manual();
  if (process.argv.includes('--check')) {
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
      process.stderr.write('docs/cli.md is not current: run "npm run manual".\n');
      process.exit(1);
    }
  } else {
    writeFileSync(path, text);
  }
}
