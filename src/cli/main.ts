/** Entry of the command line: runs one command and ends the process with its exit code. `bin/run.js` calls it under a recent enough Node. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Config, Errors, type Interfaces, run } from '@oclif/core';
import { EXIT } from '../core/errors.ts';
import { asFailure, Failure } from './failure.ts';
import { serviceNeeded } from './service-commands.ts';
import { painter, toJson } from './terminal/printable.ts';
import { askYesNo, canPrompt } from './terminal/prompt.ts';
import { nearestCommand } from './unknown-command.ts';

/**
 * Never returns: open handles of a command cannot keep the process alive.
 * @param root folder of package.json.
 * @param command the command of argv, if the caller has loaded it; then no other command is loaded.
 */
export async function main(root: string, argv: string[], command?: Command.Class): Promise<never> {
  // A reader that closes the pipe early (`| head`) is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.refused);
  });
  process.stderr.on('error', () => {});
  try {
    if (command === undefined) {
      await run(argv, { root });
    } else {
      command.id = argv[0] ?? '';
      await command.run(argv.slice(1), await alone(root));
    }
  } catch (error) {
    // `help X` is about X, and never runs it
    const about = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
    await (isUnknownCommand(error) ? answerUnknown(root, about) : report(asFailure(error), argv));
  }
  await drained(process.stdout);
  await drained(process.stderr);
  process.exit();
}

/** Loads the configuration without the plugins, which a single command does not need. */
async function alone(root: string): Promise<Config> {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Interfaces.PJSON;
  return Config.load({ root, pjson: { ...pjson, oclif: { ...pjson.oclif, plugins: [] } } });
}

/** Suggests the command that was probably meant; runs it only after a yes on a terminal. */
async function answerUnknown(root: string, argv: readonly string[]): Promise<void> {
  const flagsAt = argv.findIndex((word) => word.startsWith('-'));
  const words = flagsAt === -1 ? argv : argv.slice(0, flagsAt);
  const config = await Config.load({ root });
  const needed = serviceNeeded(config, words);
  if (needed !== undefined) {
    report(needed, argv);
    return;
  }
  const meant = nearestCommand(config, words);
  if (meant !== undefined && meant.command.join(' ') === words.slice(0, meant.typed).join(' ')) {
    await refuseArguments(config, meant.command.join(':'), argv.slice(meant.typed));
    return;
  }
  const isTopic = config.findTopic(words[0] ?? '') !== undefined;
  const suggestion = meant === undefined ? undefined : `${config.bin} ${meant.command.join(' ')}`;
  const topic = isTopic ? ` ${words[0]}` : '';
  // the arguments may contain secrets and are not repeated
  const typed = words.slice(0, meant?.typed ?? (isTopic ? 2 : words.length)).join(' ');
  const list = `"${config.bin}${topic} --help" lists the commands.`;
  const failure = new Failure('unknown_command', `There is no such command: ${typed}`, {
    exitCode: EXIT.usage,
    next: suggestion === undefined ? list : `Did you mean "${suggestion}"? ${list}`,
    extra: suggestion === undefined ? {} : { suggestion },
  });
  const mayAsk = canPrompt() && !argv.includes('--json') && !argv.includes('--help');
  if (meant === undefined || !mayAsk) {
    report(failure, argv);
    return;
  }
  process.stderr.write(`${painter(process.stderr)('red', `${failure.code}:`)} ${failure.message}\n`);
  try {
    if (await askYesNo(`Did you mean "${suggestion}"?`)) {
      await config.runCommand(meant.command.join(':'), argv.slice(meant.typed));
      return;
    }
    process.exitCode = EXIT.usage;
    process.stderr.write(`No command was run. ${list}\n`);
  } catch (error) {
    report(asFailure(error), argv);
  }
}

/** Runs the command, which itself refuses further words, because oclif takes words after a command without arguments as part of its name. */
async function refuseArguments(config: Config, id: string, argv: string[]): Promise<void> {
  try {
    await config.runCommand(id, argv);
  } catch (error) {
    report(asFailure(error), argv);
  }
}

/** Reports a failure before or outside a command, such as an unknown command or a broken installation. */
function report(failure: Failure, argv: readonly string[]): void {
  process.exitCode = failure.exitCode;
  if (argv.includes('--json')) {
    process.stdout.write(`${toJson(failure.toJson())}\n`);
    return;
  }
  const next = failure.next === undefined ? '' : `${failure.next}\n`;
  process.stderr.write(`${painter(process.stderr)('red', `${failure.code}:`)} ${failure.message}\n${next}`);
}

/** The error is recognised by its message, because oclif gives it no code. */
function isUnknownCommand(error: unknown): boolean {
  return error instanceof Errors.CLIError && /^command .* not found\.?$/i.test(error.message.trim());
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0 || stream.destroyed) {
      resolve();
    } else {
      stream.write('', () => resolve());
    }
  });
}
