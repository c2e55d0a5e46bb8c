/** A tar archive, compressed, whose bytes follow from its files alone: two builds of the same source can be compared. */
import { gzipSync } from 'node:zlib';

export type Files = ReadonlyMap<string, string | Buffer>;

const BLOCK = 512;
/** The time that npm gives to the files of a package: 26 October 1985. */
const MODIFIED = 499_162_500;
const LONGEST_NAME = 100;

/**
 * @param files by their path in the folder; a script that begins with `#!` is executable
 * @param folder the folder that holds all of them
 */
export function packArchive(files: Files, folder: string): Buffer {
  const entries = [...files]
    .map(([path, content]) => ({ path: `${folder}/${path}`, content: Buffer.from(content) }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const blocks = entries.flatMap(({ path, content }) => [
    headerOf(path, content),
    content,
    Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK),
  ]);
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
}

/** As POSIX describes it (ustar). */
function headerOf(path: string, content: Buffer): Buffer {
  if (Buffer.byteLength(path) > LONGEST_NAME) {
    throw new Error(`${path} is longer than a name in an archive may be.`);
  }
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(path, 0);
  header.write(octal(content.toString('latin1', 0, 2) === '#!' ? 0o755 : 0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(content.length, 11), 124);
  header.write(octal(MODIFIED, 11), 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, 148);
  return header;
}
