/** Runs command classes from source in this process: what they print, and how they would have ended. One at a time. */
import { join } from 'node:path';
import { Config } from '@oclif/core';
import { projectRoot } from '../../src/core/environment.ts';
import type { AnyJson } from './any-json.ts';

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Of commands called with `--json`. */
  readonly json: AnyJson;
}

interface Runnable {
  new (argv: string[], config: Config): { _run(): Promise<unknown> };
  id: string;
}

export type RunCommand = (topic: string, command: string, ...argv: string[]) => Promise<CommandResult>;

/** @param env what the commands read; it stays in this process's environment. */
export async function commandRunner(env: Readonly<Record<string, string>>): Promise<RunCommand> {
  Object.assign(process.env, env);
  // it finds the folder of profiles by the environment
  const config = await Config.load(projectRoot);
  // Each command listens for Ctrl-C; here they all share a process.
  process.setMaxListeners(0);
  return async (topic, command, ...argv) => {
    const file = join(projectRoot, 'src/commands', topic, `${command}.ts`);
    const { default: Command } = (await import(file)) as { default: Runnable };
    // as oclif does
    Command.id = [...topic.split('/'), command].filter((word) => word !== '').join(':');
    const stdout = capture(process.stdout);
    const stderr = capture(process.stderr);
    process.exitCode = 0;
    try {
      await new Command(argv, config)._run();
      const exitCode = Number(process.exitCode ?? 0);
      const printed = stdout.text();
      return {
        exitCode,
        stdout: printed,
        stderr: stderr.text(),
        json: argv.includes('--json') ? parse(printed) : undefined,
      };
    } finally {
      stdout.restore();
      stderr.restore();
      process.exitCode = 0;
    }
  };
}

/** Runs commands as at a terminal of so many columns, without its colours. */
export async function atTerminal<R>(columns: number, act: () => Promise<R>): Promise<R> {
  const { isTTY, columns: before } = process.stdout;
  Object.assign(process.stdout, { isTTY: true, columns });
  try {
    return await act();
  } finally {
    Object.assign(process.stdout, { isTTY, columns: before });
  }
}

function capture(stream: NodeJS.WriteStream): { text(): string; restore(): void } {
  const { write } = stream;
  const chunks: string[] = [];
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    const done = rest.at(-1);
    if (typeof done === 'function') {
      done();
    }
    return true;
  }) as typeof write;
  return {
    text: () => chunks.join(''),
    restore: () => {
      stream.write = write;
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
