/** A command in a terminal of 80 columns, to read what it draws, to press keys and to change its size. Made by `script`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { until } from './until.ts';

export const COLUMNS = 80;
const ESCAPE = String.fromCharCode(27);
const CONTROLS = new RegExp(`${ESCAPE}(\\[[0-9;?]*[A-Za-z]|[()][A-Z0-9])`, 'g');

export const withoutControls = (text: string): string => text.replaceAll(CONTROLS, '');
export const hasTerminals = existsSync('/usr/bin/script');

export interface Terminal {
  /** The code and the signal with which it ended. */
  readonly ended: Promise<unknown[]>;
  press(key: string): void;
  /** Everything that it has drawn, one screen after the other. */
  text(): string;
  /** Resolves when it has drawn the text. */
  shows(text: string): Promise<void>;
}

/** @param argv of `inlay`, as words of a shell. @param env beside that of this process */
export function openTerminal(argv: string, env: Readonly<Record<string, string>>): Terminal {
  const line = `tty; stty cols ${COLUMNS} rows 40; exec "${process.execPath}" "${projectRoot}bin/run.js" ${argv}`;
  const shell = spawn('script', ['-qefc', line, '/dev/null'], {
    env: { ...process.env, ...env, TERM: 'xterm-256color', SHELL: '/bin/bash', CI: 'false' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let shown = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += withoutControls(text);
  });
  return {
    ended: once(shell, 'close'),
    press: (key) => void shell.stdin.write(key),
    text: () => shown,
    shows: async (text) => {
      await until(() => expect(shown).toContain(text));
    },
  };
}
