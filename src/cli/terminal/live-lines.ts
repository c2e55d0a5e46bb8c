/** Lines that redraw themselves on a terminal. Imported lazily, so that no other command pays for ink. */
import { Box, render, Text } from 'ink';
import { createElement } from 'react';

export interface LiveLines {
  show(lines: readonly string[]): void;
  close(): void;
}

export function openLiveLines(): LiveLines {
  const view = render(draw([]), { exitOnCtrlC: false });
  return { show: (lines) => view.rerender(draw(lines)), close: () => view.unmount() };
}

function draw(lines: readonly string[]) {
  return createElement(
    Box,
    { flexDirection: 'column' },
    ...lines.map((line, index) => createElement(Text, { key: index, wrap: 'truncate-end' }, line === '' ? ' ' : line)),
  );
}
