/** Sets two texts of several parts beside each other, for a person who compares them. Pure. */
import { wrapText } from '../print/wrap-text.ts';
import { withoutControls } from './printable.ts';

export type NamedText = readonly [name: string, text: string];

const LEAST = 24;
const GAP = '  ';

/**
 * Parts that differ are marked with `*`; the texts are broken into lines between words.
 * @param width characters per line; by default those of the terminal
 */
export function sideBySide(one: readonly NamedText[], other: readonly NamedText[], width = terminalWidth()): string {
  const head = Math.max(...one.map(([name]) => name.length)) + 1;
  const column = Math.max(LEAST, Math.floor((width - head - 2 * GAP.length) / 2));
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
