/** Runs one command from source as a process of its own: `node command-process.ts TOPIC/COMMAND ARGS...`; tells its peak memory. */
import { join } from 'node:path';
import { Config } from '@oclif/core';
import { projectRoot } from '../../src/core/environment.ts';

const [command = '', ...argv] = process.argv.slice(2);
const config = await Config.load(projectRoot);
const { default: Command } = (await import(join(projectRoot, 'src/commands', `${command}.ts`))) as {
  default: new (argv: string[], config: Config) => { _run(): Promise<unknown> };
};
await new Command(argv, config)._run();
process.stderr.write(`peak ${process.resourceUsage().maxRSS} KiB\n`, () => process.exit());
