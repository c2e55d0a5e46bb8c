/** Colour on a terminal only; obeys NO_COLOR and FORCE_COLOR. */
import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];
export type Paint = (format: Format, text: string) => string;

/** A painter for the text of this stream. */
export function painter(stream: NodeJS.WriteStream): Paint {
  return (format, text) => styleText(format, text, { stream, validateStream: true });
}
