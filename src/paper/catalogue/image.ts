/**
 * Draws the picture of an event as a PNG, so that the venue needs no file and no network: the sign of the category on
 * the colour of the category, in a shade that depends on the event.
 */
import { crc32, deflateSync } from 'node:zlib';
import { unitOf } from '../random.ts';

type Colour = readonly [number, number, number];
type Point = readonly [x: number, y: number];
type Line = readonly Point[];

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const WIDTH = 320;
const HEIGHT = 180;
/** Shades of the background from one corner to the other. */
const SHADES = 24;
/** Degrees to which a stroke may cover a pixel, so that its edge is smooth. */
const COVERS = 8;
/** Pixels for one unit of a sign, which is drawn on a square of 24 units in the middle. */
const SCALE = 4.2;
const STROKE = 1;

const circle = (x: number, y: number, radius: number): Line => arc(x, y, radius, radius, 0, 360);

const SIGNS: Readonly<Record<string, { readonly hue: number; readonly lines: readonly Line[] }>> = {
  politics: {
    hue: 225,
    lines: [
      [
        [3, 9],
        [12, 4],
        [21, 9],
        [3, 9],
      ],
      ...[5, 10, 14, 19].map((x) => upright(x, 9, 18)),
      across(3, 21, 20),
    ],
  },
  sports: {
    hue: 145,
    lines: [
      [[7, 9], [7, 4], [17, 4], [17, 9], ...arc(12, 9, 5, 5, 0, 180)],
      [[7, 6], [4, 6], ...arc(7, 7, 3, 3, 180, 90)],
      [[17, 6], [20, 6], ...arc(17, 7, 3, 3, 0, 90)],
      upright(12, 14, 18),
      across(8, 16, 20),
    ],
  },
  crypto: {
    hue: 32,
    lines: [
      [
        [12, 3],
        [20, 7.5],
        [20, 16.5],
        [12, 21],
        [4, 16.5],
        [4, 7.5],
        [12, 3],
      ],
      [
        [9, 12],
        [12, 8],
        [15, 12],
        [12, 16],
        [9, 12],
      ],
    ],
  },
  economics: { hue: 200, lines: [upright(5, 10, 20), upright(11, 4, 20), upright(17, 13, 20), across(3, 21, 20)] },
  finance: {
    hue: 165,
    lines: [
      [
        [3, 17],
        [9, 11],
        [13, 15],
        [21, 7],
      ],
      [
        [15, 7],
        [21, 7],
        [21, 13],
      ],
    ],
  },
  technology: {
    hue: 265,
    lines: [
      [
        [7, 7],
        [17, 7],
        [17, 17],
        [7, 17],
        [7, 7],
      ],
      ...[10, 14].flatMap((at) => [upright(at, 3, 7), upright(at, 17, 21), across(3, 7, at), across(17, 21, at)]),
    ],
  },
  science: {
    hue: 185,
    lines: [
      [
        [10, 3],
        [10, 9],
        [5, 18],
        [5.4, 20.2],
        [7, 21],
        [17, 21],
        [18.6, 20.2],
        [19, 18],
        [14, 9],
        [14, 3],
      ],
      across(8, 16, 3),
      across(8, 16, 15),
    ],
  },
  culture: {
    hue: 325,
    lines: [
      [
        [9, 18],
        [9, 5],
        [19, 3],
        [19, 16],
      ],
      circle(6, 18, 3),
      circle(16, 16, 3),
    ],
  },
  climate: {
    hue: 95,
    lines: [
      [...arc(7, 14, 4, 4, 90, 270), ...arc(12.5, 10, 6, 6, 180, 340), ...arc(18, 13.5, 4.5, 4.5, 270, 450), [7, 18]],
    ],
  },
  world: { hue: 10, lines: [circle(12, 12, 9), across(3, 21, 12), arc(12, 12, 3.6, 9, 0, 360)] },
};
const NO_SIGN = { hue: 50, lines: [circle(12, 12, 6)] };

/** How the sign of each category covers the picture, computed with its first picture. */
const covers = new Map<string, Uint8Array>();

/**
 * @param id decides the shade; the same id always gives the same picture
 * @returns a PNG of 320 by 180 pixels
 */
export function drawEvent(id: string, category: string): Buffer {
  const { hue, lines } = SIGNS[category] ?? NO_SIGN;
  const covered = covers.get(category) ?? coverOf(lines);
  covers.set(category, covered);
  const shade = hue + unitOf(`${id}:hue`) * 24 - 12;
  const grounds = Array.from({ length: SHADES }, (_, step) => colourOf(shade, 0.52, 0.5 - (0.16 * step) / SHADES));
  const palette = grounds.flatMap((ground) =>
    Array.from({ length: COVERS }, (_, step) => mixed(ground, [255, 255, 255], step / (COVERS - 1))),
  );
  return indexed(palette, (x, y) => {
    const ground = Math.min(SHADES - 1, Math.floor(((x + y) / (WIDTH + HEIGHT)) * SHADES));
    return ground * COVERS + (covered[y * WIDTH + x] ?? 0);
  });
}

/** How much of each pixel the sign covers, from 0 to `COVERS - 1`. */
function coverOf(lines: readonly Line[]): Uint8Array {
  return Uint8Array.from({ length: WIDTH * HEIGHT }, (_, pixel) => {
    const [x, y] = [pixel % WIDTH, Math.floor(pixel / WIDTH)];
    const at: Point = [(x - WIDTH / 2) / SCALE + 12, (y - HEIGHT / 2) / SCALE + 12];
    const beyond = (distanceTo(lines, at) - STROKE) * SCALE;
    return Math.round(Math.max(0, Math.min(1, 0.5 - beyond)) * (COVERS - 1));
  });
}

function upright(x: number, from: number, to: number): Line {
  return [
    [x, from],
    [x, to],
  ];
}

function across(from: number, to: number, y: number): Line {
  return [
    [from, y],
    [to, y],
  ];
}

/** @param from in degrees, clockwise from the right */
function arc(x: number, y: number, radiusX: number, radiusY: number, from: number, to: number): Line {
  return Array.from({ length: 13 }, (_, step): Point => {
    const angle = ((from + ((to - from) * step) / 12) * Math.PI) / 180;
    return [x + radiusX * Math.cos(angle), y + radiusY * Math.sin(angle)];
  });
}

function distanceTo(lines: readonly Line[], [x, y]: Point): number {
  let least = Number.POSITIVE_INFINITY;
  if (x < 0 || x > 24 || y < 0 || y > 24) {
    return least;
  }
  for (const line of lines) {
    for (let end = 1; end < line.length; end += 1) {
      const [fromX, fromY] = line[end - 1] ?? [0, 0];
      const [toX, toY] = line[end] ?? [0, 0];
      const [wide, high] = [toX - fromX, toY - fromY];
      const length = wide * wide + high * high;
      const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - fromX) * wide + (y - fromY) * high) / length));
      least = Math.min(least, Math.hypot(x - fromX - along * wide, y - fromY - along * high));
    }
  }
  return least;
}

function mixed(one: Colour, other: Colour, share: number): Colour {
  const [red, green, blue] = one.map((channel, at) => Math.round(channel + ((other[at] ?? 0) - channel) * share));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

function indexed(palette: readonly Colour[], at: (x: number, y: number) => number): Buffer {
  const rows = Buffer.alloc((WIDTH + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      rows[y * (WIDTH + 1) + 1 + x] = at(x, y);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows)),
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
