/** Runs before each test file: what the file changes of the environment and of the clock does not reach the next one in this process. */
import { afterAll, vi } from 'vitest';

const environment = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) {
    delete process.env[name];
  }
  Object.assign(process.env, environment);
  vi.useRealTimers();
});
