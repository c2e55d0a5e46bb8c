/**
 * Whether a root secret can be guessed. The root secret protects every embed token and webhook secret of a deployment.
 */

const LEAST_BYTES = 32;
const HEX = /^[0-9a-f]+$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * True for a secret that is too short for 32 bytes in its alphabet, a repetition, or a text with too few different
 * characters to be random: 64 random hex digits have fewer than 10 different ones about once in a million, and 43
 * random base64 characters practically never have fewer than 16.
 */
export function isWeakSecret(secret: string): boolean {
  const text = secret.trim();
  const bits = HEX.test(text) ? 4 : BASE64.test(text) ? 6 : 8;
  const distinct = new Set(text).size;
  return text.length * bits < LEAST_BYTES * 8 || distinct < (bits === 4 ? 10 : 16) || /^(.{1,64}?)\1+$/.test(text);
}
