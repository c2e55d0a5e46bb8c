/** Lines that redraw themselves on a terminal, and the keys that are pressed meanwhile. Imported lazily, so that other commands do not load ink. */
import { Box, type Key, render, Text, useInput } from 'ink';
import { createElement } from 'react';

interface LiveLines {
  show(lines: readonly string[]): void;
  close(): void;
}

/** @param onKey receives a letter, as it was typed, or the name of a key without one */
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

/** @param onKey receives a letter, as it was typed, or `up`, `down`, `enter`, `back`. Ctrl-C raises SIGINT, as it does without this screen. */
export function useKeys(onKey: (key: string) => void): void {
  useInput(
    (input, key) => {
      // a terminal that delivers keys one by one delivers Ctrl-C as a key too
      if (key.ctrl && input === 'c') {
        process.kill(process.pid, 'SIGINT');
      } else {
        const name = nameOf(key);
        // keys that are pressed quickly arrive together
        for (const each of name === undefined ? input : [name]) {
          onKey(each === '\r' ? 'enter' : each);
        }
      }
    },
    { isActive: process.stdin.isTTY === true },
  );
}

function nameOf(key: Key): string | undefined {
  if (key.escape || key.backspace) {
    return 'back';
  }
  return key.upArrow ? 'up' : key.downArrow ? 'down' : key.return ? 'enter' : undefined;
}
