/** Draws a small PNG in one colour per category, for events without a picture. */
import { crc32, deflateSync } from 'node:zlib';
import { CATEGORIES } from '../../core/terms.ts';
import type { Image } from './image-fetch.ts';

const WIDTH = 32;
const HEIGHT = 18;
const COLOURS: readonly (readonly [number, number, number])[] = [
  [72, 92, 160],
  [58, 128, 88],
  [190, 132, 48],
  [64, 120, 150],
  [48, 124, 116],
  [110, 84, 160],
  [60, 132, 146],
  [160, 76, 124],
  [100, 136, 64],
  [150, 84, 72],
];
const made = new Map<string, Image>();

export function plainImage(category: string): Image {
  let image = made.get(category);
  if (image === undefined) {
    const index = Math.max(0, (CATEGORIES as readonly string[]).indexOf(category));
    image = { bytes: draw(COLOURS[index] ?? [96, 96, 96]), type: 'image/png' };
    made.set(category, image);
  }
  return image;
}

function draw(colour: readonly [number, number, number]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // Eight bits per pixel from a palette of one colour.
  header.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((WIDTH + 1) * HEIGHT);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colour)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
