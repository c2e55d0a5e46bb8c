/** Prints each interruption that a command takes notice of, and ends at a repetition. */
import { onInterrupt } from '../../src/core/processes.ts';

onInterrupt((again) => {
  process.stdout.write(again ? 'again\n' : 'interrupted\n');
  if (again) {
    process.exit(130);
  }
});
setInterval(() => {}, 1_000);
process.stdout.write('ready\n');
