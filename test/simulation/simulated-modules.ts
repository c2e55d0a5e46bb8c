/**
 * Loaded before any code of the service: replaces time, chance and ids, and the sockets under the few files of `src` that open
 * them. Whatever is random or asks the machine would make a seed go another way each time.
 */
import { registerHooks } from 'node:module';
import { installVirtualTime } from './virtual-time.ts';

interface Replacement {
  /** Files whose import is replaced, by their path in `src`. */
  readonly of: RegExp;
  readonly name: RegExp;
  readonly by: string;
}

const SOURCES = new URL('../../src/', import.meta.url).href;
const REPLACEMENTS: readonly Replacement[] = [
  { of: /./, name: /^node:crypto$/, by: './simulated-crypto.ts' },
  { of: /./, name: /^node:timers\/promises$/, by: './simulated-sleep.ts' },
  { of: /./, name: /(^|\/)ids\.ts$/, by: './simulated-ids.ts' },
  { of: /^db\/listener\.ts$/, name: /^\.\/pg-client\.ts$/, by: './simulated-listening.ts' },
  { of: /^db\/lease\.ts$/, name: /^\.\/client\.ts$/, by: './simulated-client.ts' },
  { of: /^db\/books-witness\.ts$/, name: /^node:fs\/promises$/, by: './simulated-fs.ts' },
  { of: /^jobs\/deliver\.ts$/, name: /^graphile-worker$/, by: './simulated-runner.ts' },
  { of: /^jobs\/deliver\.ts$/, name: /\/db\/pg-client\.ts$/, by: './simulated-runner.ts' },
  { of: /^webhooks\/sender\.ts$/, name: /^undici$/, by: './simulated-undici.ts' },
  { of: /^venues\/http\.ts$/, name: /^undici$/, by: './simulated-undici.ts' },
];
const used = new Set<Replacement>();

installVirtualTime();
registerHooks({
  resolve(specifier, context, nextResolve) {
    const parent = context.parentURL ?? '';
    const file = parent.startsWith(SOURCES) ? parent.slice(SOURCES.length) : '';
    const replaced = REPLACEMENTS.find(({ of, name }) => name.test(specifier) && of.test(file));
    if (replaced === undefined) {
      return nextResolve(specifier, context);
    }
    used.add(replaced);
    return { url: new URL(replaced.by, import.meta.url).href, shortCircuit: true };
  },
});

/** @throws where a file of the service has come to import what is replaced in another way, so that the real one is used. */
export function assertReplaced(): void {
  const left = REPLACEMENTS.filter((replacement) => !used.has(replacement));
  if (left.length > 0) {
    throw new Error(`nothing imports ${left.map(({ of, name }) => `${name} in ${of}`).join(', ')}`);
  }
}
