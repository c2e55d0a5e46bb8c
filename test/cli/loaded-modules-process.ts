/** Runs one command from its source, and prints on stderr which modules it loaded: node loaded-modules-process.ts orders/lookup REF ... */
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core';

const loaded: string[] = [];
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    loaded.push(resolved.url);
    return resolved;
  },
});
const [name = '', ...argv] = process.argv.slice(2);
const root = fileURLToPath(new URL('../..', import.meta.url));
const { default: Command } = (await import(`../../src/commands/${name}.ts`)) as {
  default: new (argv: string[], config: Config) => { _run(): Promise<unknown> };
};
await new Command(argv, await Config.load(root))._run();
process.stderr.write(`${JSON.stringify(loaded)}\n`);
process.exit();
