/** Entry of the command line: runs one command and ends the process with its exit code. `bin/run.js` calls it under a new enough Node. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Config, Errors, type Interfaces, run } from '@oclif/core';
import { EXIT } from '../core/errors.ts';
import { asFailure, Failure } from './failure.ts';
import { toJson } from './json.ts';
import { painter } from './paint.ts';

/**
 * Never returns: open handles of a command cannot keep the process.
 * @param root folder of package.json.
 * @param command the one that argv names, where the caller has it at hand; then no other is looked at.
 */
export async function main(root: string, argv: string[], command?: Command.Class): Promise<never> {
  // The reader of a pipe that has seen enough (`| head`) is no error.
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
    report(error, argv);
  }
  await drained(process.stdout);
  await drained(process.stderr);
  process.exit();
}

/** The configuration without the plugins, none of which a single command needs. */
async function alone(root: string): Promise<Config> {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Interfaces.PJSON;
  return Config.load({ root, pjson: { ...pjson, oclif: { ...pjson.oclif, plugins: [] } } });
}

/** What fails before or outside a command: an unknown command, a broken installation. */
function report(error: unknown, argv: readonly string[]): void {
  const failure = isUnknownCommand(error)
    ? new Failure(
        'unknown_command',
        `There is no such command: ${argv.filter((word) => !word.startsWith('-')).join(' ')}`,
        {
          exitCode: EXIT.usage,
          next: '"inlay --help" lists the commands.',
        },
      )
    : asFailure(error);
  process.exitCode = failure.exitCode;
  if (argv.includes('--json')) {
    process.stdout.write(`${toJson(failure.toJson())}\n`);
    return;
  }
  process.stderr.write(
    `${painter(process.stderr)('red', `${failure.code}:`)} ${failure.message}\n${failure.next ?? ''}\n`,
  );
}

/** The not-found plugin has suggested what was meant and ends with the shell's code for it. */
function isUnknownCommand(error: unknown): boolean {
  return (
    error instanceof Errors.CLIError &&
    (error.oclif.exit === 127 || /^command .* not found$/i.test(error.message.trim()))
  );
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
