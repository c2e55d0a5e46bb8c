/** Loaded before any code of the service: replaces time, and the sockets under the few files of `src` that open them. */
import { registerHooks } from 'node:module';
import { installVirtualTime } from './virtual-time.ts';

/** Which package a file of the service is given another one for. */
const REPLACED: readonly (readonly [file: RegExp, name: string, by: string])[] = [
  [/\/src\/db\/listener\.ts$/, 'pg', './simulated-pg.ts'],
  [/\/src\/db\/lease\.ts$/, './client.ts', './simulated-client.ts'],
  [/\/src\/db\/books-witness\.ts$/, 'node:fs/promises', './simulated-fs.ts'],
  [/\/src\/venues\/http\.ts$/, 'undici', './simulated-undici.ts'],
  [/\/src\/webhooks\/delivery\/guarded-agent\.ts$/, 'undici', './simulated-undici.ts'],
];

installVirtualTime();
registerHooks({
  resolve(specifier, context, nextResolve) {
    const replaced = REPLACED.find(([file, name]) => name === specifier && file.test(context.parentURL ?? ''));
    return replaced === undefined
      ? nextResolve(specifier, context)
      : { url: new URL(replaced[2], import.meta.url).href, shortCircuit: true };
  },
});
