/** Runs one webhooks command from its source as a process of its own: node run-command.ts listen --port 0 ... */
import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core';

const [name = '', ...argv] = process.argv.slice(2);
const root = fileURLToPath(new URL('../..', import.meta.url));
const { default: Command } = (await import(`../../src/commands/webhooks/${name}.ts`)) as {
  default: new (argv: string[], config: Config) => { _run(): Promise<unknown> };
};
await new Command(argv, await Config.load(root))._run();
process.exit();
