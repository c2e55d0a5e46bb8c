/** The keys of a live view. */
import { type Key, useInput } from 'ink';

/** @param onKey a letter, as it was typed, or `up`, `down`, `enter`, `back`; Ctrl-C is the signal that it is elsewhere */
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
