/** Colour on a terminal and nowhere else; NO_COLOR and FORCE_COLOR are obeyed. */
import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];
export type Paint = (format: Format, text: string) => string;

/** A painter for what goes to this stream. */
export function painter(stream: NodeJS.WriteStream): Paint {
  return (format, text) => styleText(format, text, { stream, validateStream: true });
}
