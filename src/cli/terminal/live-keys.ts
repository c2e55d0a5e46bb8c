/** The keys of a live view. */
import { useInput } from 'ink';

/** @param onKey a letter, as it was typed; Ctrl-C is the signal that it is elsewhere */
export function useKeys(onKey: (key: string) => void): void {
  useInput(
    (input, key) => {
      // a terminal that delivers keys one by one delivers Ctrl-C as a key too
      if (key.ctrl && input === 'c') {
        process.kill(process.pid, 'SIGINT');
      } else {
        onKey(input);
      }
    },
    { isActive: process.stdin.isTTY === true },
  );
}
