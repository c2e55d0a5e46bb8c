/** A flag for the letterhead of a printed page: an image, read into the page, which names no other file. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Errors, Flags } from '@oclif/core';

const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.svg': 'image/svg+xml',
};

/** The value is a `data:` URL. */
export const letterheadFlag = Flags.custom<string>({
  helpValue: 'FILE',
  summary: 'Image at the head of the page: your logo or letterhead, as PNG, JPEG or SVG.',
  parse: async (path) => {
    const type = TYPES[extname(path).toLowerCase()];
    if (type === undefined) {
      throw new Errors.CLIError(`${path} is not a PNG, JPEG or SVG file.`);
    }
    const image = await readFile(path).catch((error: Error) => {
      throw new Errors.CLIError(`${path} cannot be read: ${error.message}.`);
    });
    return `data:${type};base64,${image.toString('base64')}`;
  },
});
