/** Modules of the build and the packages that they use, as files that need no package, with the licences of those packages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Rolldown } from 'vite';

/** Of the packages for partners, which bring no Node. */
export const OLDEST_NODE = '>=22.18';

export interface Bundle {
  /** By their path below the folder of the bundle. */
  readonly files: ReadonlyMap<string, string>;
  readonly chunks: readonly Rolldown.OutputChunk[];
  /** The modules that were bundled, as absolute paths. */
  readonly modules: readonly string[];
}

export interface BundleOptions {
  /** Files, by the name that each has in the bundle. */
  readonly input: Readonly<Record<string, string>>;
  readonly options?: Rolldown.InputOptions;
  /** The beginning of each file. */
  readonly banner?: string;
}

export async function bundle({ input, options, banner = '' }: BundleOptions): Promise<Bundle> {
  const vite = createRequire(createRequire(import.meta.url).resolve('vite/package.json'));
  const { rolldown } = (await import(pathToFileURL(vite.resolve('rolldown')).href)) as {
    rolldown(options: Rolldown.InputOptions): Promise<Rolldown.RolldownBuild>;
  };
  const build = await rolldown({
    ...options,
    input,
    platform: 'node',
    logLevel: 'silent',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'dist/lib/[name]-[hash].js',
    banner,
  });
  await build.close();
  const chunks = output.filter((one) => one.type === 'chunk');
  return {
    files: new Map(chunks.map(({ fileName, code }) => [fileName, code])),
    chunks,
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  };
}

/** @returns the licence of each package of the modules, one after the other */
export function licencesOf(modules: readonly string[]): string {
  const folders = new Set(
    modules.filter((path) => path.includes(`${sep}node_modules${sep}`)).map((path) => packageFolderOf(dirname(path))),
  );
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
    return `${name} ${version}: ${license}${text}\n`;
  });
  return [...new Set(texts)].toSorted().join(`\n${'-'.repeat(80)}\n\n`);
}

/** A package may have further package.json files, without a version, for the kind of its modules. */
function packageFolderOf(folder: string): string {
  const path = join(folder, 'package.json');
  const isPackage = existsSync(path) && 'version' in JSON.parse(readFileSync(path, 'utf8'));
  return isPackage ? folder : packageFolderOf(dirname(folder));
}
