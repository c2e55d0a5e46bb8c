/** Whether a root secret can be guessed. It guards every embed token and webhook secret of a deployment. */

const LEAST_BYTES = 32;
const HEX = /^[0-9a-f]+$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Too short for 32 bytes in the alphabet that it is written in, a repetition, or too few different characters to be random: 64 random
 * hex digits have fewer than 10 different ones about once in a million, 43 random base64 ones fewer than 16 practically never.
 */
export function isWeakSecret(secret: string): boolean {
  const text = secret.trim();
  const bits = HEX.test(text) ? 4 : BASE64.test(text) ? 6 : 8;
  const distinct = new Set(text).size;
  return text.length * bits < LEAST_BYTES * 8 || distinct < (bits === 4 ? 10 : 16) || /^(.{1,64}?)\1+$/.test(text);
}
