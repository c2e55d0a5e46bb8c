/** Stands in for `node:fs/promises` where the service keeps a file of its machine: it survives the process, on a disk in memory. */
import { thisProcess } from './process.ts';

export async function mkdir(): Promise<void> {}

export async function readFile(file: string): Promise<string> {
  const text = thisProcess().disk.get(file);
  if (text === undefined) {
    throw Object.assign(new Error(`no such file: ${file}`), { code: 'ENOENT' });
  }
  return text;
}

export async function open(file: string) {
  const { disk } = thisProcess();
  return {
    writeFile: async (text: string) => {
      disk.set(file, text);
    },
    sync: async () => {},
    close: async () => {},
  };
}

export async function rename(from: string, to: string): Promise<void> {
  const { disk } = thisProcess();
  disk.set(to, disk.get(from) ?? '');
  disk.delete(from);
}
