/** Lines that redraw themselves on a terminal, and the keys that are pressed meanwhile. Imported lazily, so that no other command pays for ink. */
import { Box, render, Text } from 'ink';
import { createElement } from 'react';
import { useKeys } from './live-keys.ts';

export interface LiveLines {
  show(lines: readonly string[]): void;
  close(): void;
}

/** @param onKey a letter, as it was typed, or the name of a key without one */
export function openLiveLines(onKey: (key: string) => void): LiveLines {
  const view = render(createElement(Lines, { lines: [], onKey }), { exitOnCtrlC: false });
  return {
    show: (lines) => view.rerender(createElement(Lines, { lines, onKey })),
    close: () => view.unmount(),
  };
}

function Lines({ lines, onKey }: { readonly lines: readonly string[]; readonly onKey: (key: string) => void }) {
  useKeys(onKey);
  return createElement(
    Box,
    { flexDirection: 'column' },
    ...lines.map((line, index) => createElement(Text, { key: index, wrap: 'truncate-end' }, line === '' ? ' ' : line)),
  );
}
