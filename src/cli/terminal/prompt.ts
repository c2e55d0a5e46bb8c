/**
 * The questions of the command line to a person, for the entry, the base of all commands and `login`. Answers are read from standard
 * input and questions are written to standard error, so both must be terminals. Standard output stays free for a pipe.
 */
import { wrapText } from './wrap-text.ts';

/** Characters of the mark before a question, and of "(y/N)" with one letter after it. */
const BESIDE = '? '.length + ' (y/N) y'.length;

export function canPrompt(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** @returns false unless the answer is yes. */
export async function askYesNo(question: string): Promise<boolean> {
  const { confirm } = await import('@inquirer/prompts');
  // the library breaks longer lines anywhere, also inside "(y/N)"
  const message = wrapText(question, Math.max(1, (process.stderr.columns || 80) - BESIDE)).join('\n');
  return confirm({ message, default: false }, { output: process.stderr });
}

/** Asks for a secret without showing it, or reads it from a pipe. @returns '' if standard input is a terminal and no question can be shown */
export async function readSecret(question: string): Promise<string> {
  if (canPrompt()) {
    const { password } = await import('@inquirer/prompts');
    return password({ message: question, mask: true }, { output: process.stderr });
  }
  if (process.stdin.isTTY === true) {
    return '';
  }
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
