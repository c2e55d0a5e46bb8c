/** Breaks text into lines: by itself, beside a name, or two texts beside each other. Pure. */
import { stripVTControlCharacters } from 'node:util';
import { withoutControls } from './printable.ts';

/** @returns lines of at most `width` characters, broken between words; a longer word is cut. */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === '' ? word : `${line} ${word}`;
      }
      while (line.length > width) {
        lines.push(line.slice(0, width));
        line = line.slice(width);
      }
    }
    return [...lines, line];
  });
}

const LEAST_WIDTH = 20;

/**
 * Wraps text beside a name, so that its other lines begin where the first one begins.
 * @param indent characters of the name and of the gap after it
 * @param width characters per line; without one (off a terminal) the text stays on one line
 */
export function hangText(text: string, indent: number, width: number | undefined): string {
  return width === undefined
    ? text
    : wrapText(text, Math.max(LEAST_WIDTH, width - indent)).join(`\n${' '.repeat(indent)}`);
}

/**
 * Breaks the lines that are too long between words. They go on below their first letter, or that of their list item. A longer word, such
 * as an id or a signature, stays whole.
 * @param width characters per line; without one (off a terminal) the text stays as it is
 */
export function breakLines(text: string, width: number | undefined): string {
  return width === undefined
    ? text
    : text
        .split('\n')
        .map((line) => (lettersOf(line) <= width ? line : breakLine(line, width)))
        .join('\n');
}

function breakLine(line: string, width: number): string {
  const [margin = ''] = /^ *(?:- )?/.exec(line) ?? [];
  const lines: string[] = [];
  let kept = line.slice(0, margin.length);
  let isEmpty = true;
  for (const word of line.slice(margin.length).split(' ')) {
    if (!isEmpty && lettersOf(kept) + 1 + lettersOf(word) > width) {
      lines.push(kept);
      kept = ' '.repeat(margin.length) + word;
    } else {
      kept += isEmpty ? word : ` ${word}`;
    }
    isEmpty = false;
  }
  return [...lines, kept].join('\n');
}

/** @returns the text without the characters that colour it */
function lettersOf(text: string): number {
  return stripVTControlCharacters(text).length;
}

type NamedText = readonly [name: string, text: string];

const LEAST_COLUMN = 24;
const GAP = '  ';

/**
 * Puts two texts of several named parts beside each other, for a person who compares them. Parts that differ are marked with `*`.
 * @param width characters per line; by default those of the terminal
 */
export function sideBySide(one: readonly NamedText[], other: readonly NamedText[], width = terminalWidth()): string {
  const head = Math.max(...one.map(([name]) => name.length)) + 1;
  const column = Math.max(LEAST_COLUMN, Math.floor((width - head - 2 * GAP.length) / 2));
  return one
    .flatMap(([name, text], index) => {
      const right = other[index]?.[1] ?? '';
      const [lines, others] = [wrapText(withoutControls(text), column), wrapText(withoutControls(right), column)];
      const mark = text === right ? ' ' : '*';
      return Array.from({ length: Math.max(lines.length, others.length) }, (_, line) =>
        [
          `${line === 0 ? mark : ' '}${(line === 0 ? name : '').padEnd(head - 1)}`,
          (lines[line] ?? '').padEnd(column),
          others[line] ?? '',
        ]
          .join(GAP)
          .trimEnd(),
      );
    })
    .join('\n');
}

function terminalWidth(): number {
  return process.stdout.isTTY === true ? Math.max(80, process.stdout.columns) : 120;
}
