/** Pictures of events, drawn as PNG bytes in code so that the venue needs no file and no network. */
import { crc32, deflateSync } from 'node:zlib';
import { unitOf } from '../market/random.ts';

type Colour = readonly [number, number, number];

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const CATEGORY_HUES: Readonly<Record<string, number>> = {
  politics: 225,
  sports: 140,
  crypto: 35,
  economics: 200,
  finance: 165,
  technology: 265,
  science: 185,
  culture: 325,
  climate: 95,
  world: 10,
};

/** @returns a 320 by 180 PNG: bands in the category's hue, placed according to the event's id */
export function drawEvent(id: string, category: string): Buffer {
  const width = 320;
  const height = 180;
  const hue = (CATEGORY_HUES[category] ?? 50) + unitOf(`${id}:hue`) * 24 - 12;
  const palette = [0.26, 0.34, 0.43, 0.52, 0.62, 0.72].map((light) => colourOf(hue, 0.55, light));
  const centreX = width * (0.2 + 0.6 * unitOf(`${id}:x`));
  const centreY = height * (0.2 + 0.6 * unitOf(`${id}:y`));
  const slope = 0.4 + 1.2 * unitOf(`${id}:slope`);
  return indexed(width, height, palette, (x, y) => {
    const far = Math.hypot(x - centreX, (y - centreY) * 1.3);
    const band = Math.floor((x * slope + y + far) / 64) % 3;
    return (far < 46 ? 3 : 0) + band;
  });
}

function indexed(
  width: number,
  height: number,
  palette: readonly Colour[],
  at: (x: number, y: number) => number,
): Buffer {
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows[y * (width + 1) + 1 + x] = at(x, y);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, 'latin1');
  data.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}

function colourOf(hue: number, saturation: number, light: number): Colour {
  const reach = saturation * Math.min(light, 1 - light);
  const channel = (offset: number) => {
    const turn = (offset + hue / 30 + 12) % 12;
    return Math.round(255 * (light - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}
